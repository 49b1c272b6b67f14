import type { ClientSession, Collection } from 'mongodb'
import { latencyBucket } from '../core/latency-histogram.ts'
import type { Store } from './connect.ts'
import type { ModelUsage } from '../core/execution.ts'
import { fieldName, type LedgerEntry } from './ledger-entry.ts'

const MINUTE_MS = 60_000
const KEPT_SECONDS = 7 * 86_400

/** What happened within one minute, as one writer counted it: `_id` is `<minute>/<writer>`. */
export interface SeriesDocument {
  _id: string
  /** The beginning of the minute. */
  at: Date
  created?: number
  completed?: number
  failed?: number
  canceled?: number
  /** Completed executions by the bucket of their latency; see core/latency-histogram.ts. */
  latency?: Record<string, number>
  usage?: Record<string, ModelUsage>
}

/** The minutes of a database. */
export function seriesOf({ db }: Pick<Store, 'db'>): Collection<SeriesDocument> {
  return db.collection<SeriesDocument>('series')
}

/** Creates the collection with its indexes; minutes are kept for a week. */
export async function ensureSeries(store: Pick<Store, 'db'>): Promise<void> {
  await seriesOf(store).createIndexes([{ key: { at: 1 }, expireAfterSeconds: KEPT_SECONDS }])
}

/** Counts what entries end and spend, in their own transaction: the sums are exact, whatever crashes. */
export async function countEntries(store: Store, session: ClientSession, entries: LedgerEntry[]): Promise<void> {
  const { $inc, $set } = entryCounts(entries)
  if (Object.keys($inc).length > 0) await add(store, session, 'ledger', { $inc, $set })
}

/**
 * Counts executions as submitted, in all and in this minute.
 * @param writer - processes that count at the same time use different ones.
 */
export async function countCreated(store: Store, session: ClientSession, writer: string, created: number) {
  await store.counters.updateOne({ _id: writer }, { $inc: { submitted: created } }, { session, upsert: true })
  await add(store, session, writer, { $inc: { created }, $set: {} })
}

interface Counts {
  $inc: Record<string, number>
  $set: Record<string, string>
}

/** What entries add to the minute in which they are committed. */
function entryCounts(entries: Pick<LedgerEntry, 'finish' | 'usage'>[]): Counts {
  const $inc: Counts['$inc'] = {}
  const $set: Counts['$set'] = {}
  const increase = (field: string, by: number): void => void ($inc[field] = ($inc[field] ?? 0) + by)
  for (const { finish, usage } of entries) {
    if (finish !== undefined) increase(finish.status, 1)
    if (finish?.status === 'completed') increase(`latency.${latencyBucket(finish.latencyMs)}`, 1)
    if (usage === undefined) continue
    const { provider, model, ...numbers } = usage
    const field = `usage.${fieldName(`${provider}/${model}`)}`
    Object.assign($set, { [`${field}.provider`]: provider, [`${field}.model`]: model })
    for (const [name, value] of Object.entries(numbers)) increase(`${field}.${name}`, value)
  }
  return { $inc, $set }
}

async function add(store: Store, session: ClientSession, writer: string, { $inc, $set }: Counts): Promise<void> {
  const at = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS)
  const update = { $inc, $set: { ...$set, at } }
  await seriesOf(store).updateOne({ _id: `${at.toISOString()}/${writer}` }, update, { session, upsert: true })
}
