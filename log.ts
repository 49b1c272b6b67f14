import { pino, type Logger } from 'pino'
import { logFields } from './log-context.ts'

export type Log = Logger

/**
 * The structured log of a process, one JSON object a line on stdout. Credentials are cut out wherever they appear under
 * their usual names. Lines that are logged on behalf of a request or an activity say which.
 * @param name - the process: api or worker.
 */
export function createLog(name: string, level: string): Log {
  return pino({
    name,
    level,
    mixin: logFields,
    redact: { paths: ['*.authorization', '*["x-api-key"]', '*.api_key', '*.apiKey', 'authorization'], censor: '…' },
  })
}

/**
 * Writes a line of the process's life (it listens, it polls) whatever the level: whoever started it waits for that line.
 */
export function announce(log: Log, fields: Record<string, unknown>, message: string): void {
  log.child({}, { level: 'info' }).info(fields, message)
}
