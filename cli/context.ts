import { Troupe } from '../client/index.ts'
import { readSettings, type SettingOptions, type Settings } from './settings.ts'
import { Terminal } from './terminal.ts'

/** Context of every command. */
export interface Context {
  troupe: Troupe
  settings: Settings
  terminal: Terminal
  /** Fires at the first Ctrl-C. */
  signal: AbortSignal
  /** Timeout of a waiting command in milliseconds; undefined means unlimited. */
  timeoutMs: number | undefined
}

/** Options of every command. */
export interface GlobalOptions extends SettingOptions {
  json?: boolean
  quiet?: boolean
  utc?: boolean
  fields?: string[]
  timeout?: number
}

/** Number of retries of commands that do not wait, so that they fail fast when the service is down. */
const RETRIES = 2

/** A command: its arguments in order, and its own options. Resolves with the exit code. */
export type CommandHandler<Arguments extends unknown[], Options> = (
  context: Context,
  given: Arguments,
  options: Options,
) => Promise<number>

/** Creates the terminal from the options. */
export function createTerminal({ json = false, quiet = false, utc = false, fields }: GlobalOptions): Terminal {
  return new Terminal({ json, quiet, utc, fields })
}

/** Reads the settings and creates the client. */
export function createContext(options: GlobalOptions, terminal: Terminal, signal: AbortSignal): Context {
  const settings = readSettings(options, process.env)
  const { url, key } = settings
  const troupe = new Troupe({ url, key, retries: RETRIES })
  return { troupe, settings, terminal, signal, timeoutMs: options.timeout }
}
