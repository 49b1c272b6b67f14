import { Troupe } from '../client/index.ts'
import { readSettings, type SettingOptions, type Settings } from './settings.ts'
import { Terminal } from './terminal.ts'

/** What every command works with. */
export interface Context {
  troupe: Troupe
  settings: Settings
  terminal: Terminal
  /** Fires at the first Ctrl-C. */
  signal: AbortSignal
  /** Milliseconds that a waiting command waits; undefined: as long as it takes. */
  timeoutMs: number | undefined
}

/** Options that every command has. */
export interface GlobalOptions extends SettingOptions {
  json?: boolean
  quiet?: boolean
  utc?: boolean
  fields?: string[]
  timeout?: number
}

/** A command that is done at once may say soon that nobody is there. */
const RETRIES = 2

/** A command: its arguments in order, and its own options. Resolves with the exit code. */
export type CommandHandler<Arguments extends unknown[], Options> = (
  context: Context,
  given: Arguments,
  options: Options,
) => Promise<number>

/** The terminal as the options want it. */
export function createTerminal({ json = false, quiet = false, utc = false, fields }: GlobalOptions): Terminal {
  return new Terminal({ json, quiet, utc, fields })
}

/** Reads the settings and makes the client. */
export function createContext(options: GlobalOptions, terminal: Terminal, signal: AbortSignal): Context {
  const settings = readSettings(options, process.env)
  const { url, key } = settings
  const troupe = new Troupe({ url, key, retries: RETRIES })
  return { troupe, settings, terminal, signal, timeoutMs: options.timeout }
}
