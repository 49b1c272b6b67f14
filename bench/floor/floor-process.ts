import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** Starts the worker of the floor; resolves when it polls. */
export async function startFloorWorker(address: string): Promise<{ stop: () => Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [path('./worker.ts')], {
    env: { ...process.env, TEMPORAL_ADDRESS: address },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (child.stdout !== null) await once(child.stdout, 'data')
  return {
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** F2: median of one workflow after the other with eager start, in milliseconds. */
export async function measureEager(address: string): Promise<number> {
  const env = { ...process.env, TEMPORAL_ADDRESS: address }
  const { stdout } = await promisify(execFile)(process.execPath, [path('./eager.ts')], { env })
  return (JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as { p50: number }).p50
}
