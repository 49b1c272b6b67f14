import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { keeper } from './keeper.ts'

const SIGNALS: NodeJS.Signals[] = ['SIGINT', 'SIGTERM']
const BIN = join(import.meta.dirname, '../node_modules/.bin')

/**
 * Runs a tool of node_modules on this terminal, with the current Node.
 * @param onMessage - called with messages that the tool sends with `process.send`.
 * @returns its exit code; 1 for a signal.
 */
export async function runToEnd(tool: string, args: string[], onMessage?: (message: unknown) => void): Promise<number> {
  const child = spawn(join(BIN, tool), args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: [BIN, process.env.PATH].join(delimiter) },
  })
  if (onMessage !== undefined) child.on('message', onMessage)
  const { pid } = child
  if (pid !== undefined) keeper.watch(pid)
  // On an interrupt, waits for the tool, which may still print output, so that the caller can print a summary.
  const passOn = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of SIGNALS) process.on(signal, passOn)
  const [code] = (await once(child, 'exit')) as [number | null]
  for (const signal of SIGNALS) process.off(signal, passOn)
  if (pid !== undefined) keeper.forget(pid)
  return code ?? 1
}
