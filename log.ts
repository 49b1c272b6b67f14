import { pino, type Logger } from 'pino'
import { logFields } from './log-context.ts'

export type Log = Logger

/**
 * Creates the structured log of a process: one JSON object per line on stdout. It redacts credentials under their usual
 * names. A line logged for a request or an activity carries the fields of that request or activity.
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
 * Writes a lifecycle line (such as "listening" or "polling") at every log level, because process managers and scripts
 * wait for it.
 */
export function announce(log: Log, fields: Record<string, unknown>, message: string): void {
  log.child({}, { level: 'info' }).info(fields, message)
}
