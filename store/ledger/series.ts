import type { ClientSession, Collection, UpdateFilter } from 'mongodb'
import { addHours } from '../registry/agent-hours.ts'
import type { Store } from '../mongodb/connect.ts'
import type { CounterDocument, MinuteCounts } from '../documents.ts'
import { inSnapshot } from '../mongodb/in-snapshot.ts'

const MINUTE_MS = 60_000

/** The counts of one minute. A minute may have several documents; their sum counts. */
export interface SeriesDocument extends Omit<MinuteCounts, 'agents'> {
  /** The beginning of the minute. */
  at: Date
}

/** The minutes of a database, kept for a week. */
function seriesOf({ db }: Pick<Store, 'db'>): Collection<SeriesDocument> {
  return db.collection<SeriesDocument>('series')
}

/** Additions to the current minute. */
export interface Counts {
  $inc: Record<string, number>
  $set: Record<string, unknown>
}

/** A change of a counters document: permanent totals, and additions to the current minute. */
export interface Counting {
  totals: { $inc: Record<string, number>; $max?: Record<string, Date> }
  minute: Counts
}

/**
 * Adds to a counters document. The current minute is counted within this document, so that it costs no separate write.
 * Finished minutes become documents of the series in the same transaction, so the sums stay exact after any crash.
 * @param writer - id of the document; concurrent processes use different ids, because they would otherwise wait for
 *   each other.
 * @returns the id of the last counted event.
 */
export async function count(
  store: Store,
  session: ClientSession,
  writer: string,
  { totals, minute }: Counting,
): Promise<number> {
  const now = Math.floor(Date.now() / MINUTE_MS)
  const within = (fields: object): object =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [`minutes.${now}.${name}`, value]))
  const update: UpdateFilter<CounterDocument> = { ...totals, $inc: { ...totals.$inc, ...within(minute.$inc) } }
  if (Object.keys(minute.$set).length > 0) update.$set = within(minute.$set)
  const projection = { last_trace_id: 1, minutes: 1 } as const
  const options = { session, returnDocument: 'after', projection, upsert: true } as const
  const counter = await store.counters.findOneAndUpdate({ _id: writer }, update, options)
  const over = Object.entries(counter?.minutes ?? {}).filter(([number]) => Number(number) !== now)
  if (over.length > 0) await moveMinutes(store, session, writer, over)
  return counter?.last_trace_id ?? 0
}

/** The minutes since `from`, both finished and current. */
export async function readMinutes({ client, db, counters }: Store, from: Date): Promise<SeriesDocument[]> {
  // A snapshot, so that a minute that moves in between is counted exactly once.
  return inSnapshot({ client }, async (session) => {
    const over = await seriesOf({ db })
      .find({ at: { $gte: from } }, { session, projection: { _id: 0 } })
      .toArray()
    const current = await counters.find({}, { session, projection: { minutes: 1 } }).toArray()
    const counted = current.flatMap(({ minutes = {} }) => Object.entries(minutes).map(toDocument))
    return [...over, ...counted.filter(({ at }) => at >= from)]
  })
}

async function moveMinutes(store: Store, session: ClientSession, writer: string, minutes: [string, MinuteCounts][]) {
  const $unset = Object.fromEntries(minutes.map(([number]) => [`minutes.${number}`, true as const]))
  await store.counters.updateOne({ _id: writer }, { $unset }, { session })
  await seriesOf(store).insertMany(minutes.map(toDocument), { session })
  const ends = minutes.map(([number, { agents = {} }]) => ({ at: startOf(number), agents }))
  await addHours(store, session, ends)
}

function toDocument([number, { agents: _agents, ...counts }]: [string, MinuteCounts]): SeriesDocument {
  return { at: startOf(number), ...counts }
}

function startOf(minute: string): Date {
  return new Date(Number(minute) * MINUTE_MS)
}
