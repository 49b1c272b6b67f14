import { readFile, writeFile } from 'node:fs/promises'
import type { History } from '@temporalio/common/lib/proto-utils.js'

/** A history as it lies in test/histories, with the id of its workflow. */
export interface RecordedHistory {
  workflowId: string
  history: History
}

/**
 * Writes a history as JSON that people can read and compare: bytes are base64 under `bytes`, whole numbers are numbers.
 * Who took part, and where, is left out: it means nothing to a replay.
 */
export async function writeHistory(file: URL, { workflowId, history }: RecordedHistory): Promise<void> {
  await writeFile(file, `${JSON.stringify({ workflowId, history: toPlain(history) }, undefined, 1)}\n`)
}

export async function readHistory(file: URL): Promise<RecordedHistory> {
  return JSON.parse(await readFile(file, 'utf8'), (_key, value: unknown) =>
    isBytes(value) ? Buffer.from(value.bytes, 'base64') : value,
  ) as RecordedHistory
}

/** Process and host, as identities and the names of sticky task queues begin with them. */
const PLACE = /^\d+@\S+$/

function toPlain(value: unknown): unknown {
  if (typeof value === 'string') return PLACE.test(value) ? 'somewhere' : value
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null) return value
  if (isLong(value)) return value.toNumber()
  const fields = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(fields.map(([key, field]) => [key, toPlain(field)]))
}

function isLong(value: object): value is { toNumber: () => number } {
  return 'toNumber' in value && typeof value.toNumber === 'function'
}

function isBytes(value: unknown): value is { bytes: string } {
  return typeof value === 'object' && value !== null && 'bytes' in value && typeof value.bytes === 'string'
}
