import { appendFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

const folder = process.env.TEST_FOLDER ?? ''
/** This process: in a container each has the same id, and so has the next one. */
const self = `${hostname()}:${process.pid}:${Math.round(performance.timeOrigin)}`

/**
 * Tells the world that a step begins: a line in a file that the service knows nothing of. The time is of the machine's
 * monotonic clock, which all processes share and no clock step changes.
 */
export function effect(marker: string, path: string): void {
  appendFileSync(join(folder, `${marker}.effects`), `${path} ${self} ${process.hrtime.bigint()}\n`)
}

/** The path in a callKey. */
export function pathOf(callKey: string): string {
  return callKey.slice(callKey.indexOf('|') + 1)
}
