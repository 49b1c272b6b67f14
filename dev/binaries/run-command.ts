import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { keeper } from '../keeper.ts'

export interface CommandOptions {
  /** Variables added to the environment of this process. */
  environment?: NodeJS.ProcessEnv
  workingDirectory?: string
}

const KEPT_CHARACTERS = 4_000

/**
 * Runs a command to its end. The command is ended when this process ends.
 * @returns the end of its output, stdout and stderr together.
 * @throws Error with that output when the command fails or cannot be started.
 */
export async function runCommand(command: string, args: string[], options: CommandOptions = {}): Promise<string> {
  const child = spawn(command, args, {
    cwd: options.workingDirectory,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid !== undefined) keeper.watch(pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT_CHARACTERS)
    })
  }
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
    if (code === 0) return output.trim()
    throw new Error(`${command} ended with ${code ?? signal}: ${lastLine(output)}`)
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT')
      throw new Error(`${command} is not installed`, { cause: error })
    throw error
  } finally {
    if (pid !== undefined) keeper.forget(pid)
  }
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) || 'it printed nothing'
}
