import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { plainEnvironment } from '../../dev/servers/server-options.ts'

const PROGRAM = fileURLToPath(new URL('../../cli/troupe.mjs', import.meta.url))

/** What a call of the command line gave. */
export interface Outcome {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** A call of the command line that may still run. */
export interface Call {
  child: ChildProcessWithoutNullStreams
  ended: Promise<Outcome>
}

/** A command line of its own, without the settings of whoever runs the tests. */
export function commandLine(settings: Record<string, string>) {
  const start = (
    args: string[],
    { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
  ): Call => {
    const environment = { ...plainEnvironment(), TROUPE_CONFIG: '/nonexistent/troupe.json', ...settings, ...env }
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: environment })
    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }) as Outcome)
    return { child, ended }
  }
  const troupe = (...args: string[]): Promise<Outcome> => start(args).ended
  return { start, troupe }
}
