import { CommandError } from '../command-error.ts'
import { connectionNotes } from '../connection-notes.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { paintStatus } from '../terminal.ts'

interface LogOptions {
  follow?: boolean
  tail?: number
  since?: string
  grep?: string
}

/** `troupe logs CONTAINER`. */
export async function logs(context: Context, [container]: [string], options: LogOptions): Promise<number> {
  const { troupe, terminal, signal } = context
  const { follow = false, tail, since } = options
  const matches = matcher(options.grep)
  const print = (entry: { timestamp: string; message: string }): void => {
    if (!matches(entry.message)) return
    terminal.line(terminal.options.json ? JSON.stringify(entry) : `${entry.timestamp} ${entry.message}`)
  }
  if (!follow) {
    const { logs: lines } = await troupe.containers.log(container, { tail, since }, { signal })
    lines.forEach(print)
    return EXIT.ok
  }
  try {
    const onConnection = connectionNotes(terminal)
    for await (const entry of troupe.containers.follow(container, { tail, since, signal, onConnection })) print(entry)
  } catch (error) {
    if (!signal.aborted) throw error
    return EXIT.interrupted
  }
  terminal.note(`${container} has ended.`)
  return EXIT.ok
}

/** `troupe containers`. */
export async function containers({ troupe, terminal, signal }: Context): Promise<number> {
  const { containers: found } = await troupe.containers.list({ signal })
  terminal.list(found, [
    { header: 'NAME', cell: ({ name }) => name },
    { header: 'TYPE', cell: ({ type }) => type },
    { header: 'STATUS', cell: ({ status }) => status, paint: (text, { status }) => paintStatus(text, status) },
    { header: 'IMAGE', cell: ({ image }) => image, flexible: true },
    { header: 'ID', cell: ({ id }) => id.slice(0, 12), raw: ({ id }) => id },
  ])
  return EXIT.ok
}

function matcher(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => true
  try {
    const expression = new RegExp(pattern)
    return (text) => expression.test(text)
  } catch (error) {
    throw new CommandError(EXIT.usage, `--grep: ${(error as Error).message}.`)
  }
}
