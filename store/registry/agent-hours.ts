import type { AnyBulkWriteOperation, ClientSession, Collection } from 'mongodb'
import type { Store } from '../mongodb/connect.ts'
import type { AgentEnds } from '../documents.ts'
import { inSnapshot } from '../mongodb/in-snapshot.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Counts of the ended runs of all agents within one hour. A day takes 25 documents, however many runs there were. */
interface AgentHourDocument {
  /** The beginning of the hour. `at` repeats it, because a TTL index does not work on `_id`. */
  _id: Date
  at: Date
  agents: Record<string, AgentEnds>
}

/** Counts of agents' ended runs since a time. */
export interface AgentDay {
  since: Date
  /** By the agent's name, encoded as a field name. */
  agents: Map<string, AgentEnds>
}

/** Counts of a period, by agent. */
interface Ends {
  at: Date
  agents: Record<string, AgentEnds>
}

function hoursOf({ db }: Pick<Store, 'db'>): Collection<AgentHourDocument> {
  return db.collection<AgentHourDocument>('agent_hours')
}

/** Adds past minutes to their hours. */
export async function addHours(store: Pick<Store, 'db'>, session: ClientSession, minutes: Ends[]): Promise<void> {
  const writes = minutes.flatMap(({ at, agents }): AnyBulkWriteOperation<AgentHourDocument>[] => {
    const hour = hourOf(at.getTime())
    const sums = Object.entries(agents).flatMap(([agent, ends]) =>
      Object.entries(ends).map(([status, count]) => [`agents.${agent}.${status}`, count] as const),
    )
    if (sums.length === 0) return []
    const update = { $inc: Object.fromEntries(sums), $setOnInsert: { at: hour } }
    return [{ updateOne: { filter: { _id: hour }, update, upsert: true } }]
  })
  if (writes.length > 0) await hoursOf(store).bulkWrite(writes, { session })
}

/** Counts agents' ended runs of the last 24 hours, from the beginning of the hour in which that period began. */
export async function readAgentDay(store: Store, now: Date): Promise<AgentDay> {
  const since = hourOf(now.getTime() - DAY_MS)
  // In a snapshot, a minute that moves to its hour is counted exactly once.
  const found = await inSnapshot(store, async (session): Promise<Ends[]> => {
    const over = await hoursOf(store)
      .find({ _id: { $gte: since } }, { session })
      .toArray()
    const counter = await store.counters.findOne({ _id: 'ledger' }, { session, projection: { minutes: 1 } })
    const counted = Object.entries(counter?.minutes ?? {}).map(([minute, { agents = {} }]) => ({
      at: new Date(Number(minute) * MINUTE_MS),
      agents,
    }))
    return [...over, ...counted.filter(({ at }) => at >= since)]
  })
  const agents = new Map<string, AgentEnds>()
  for (const [agent, ends] of found.flatMap((each) => Object.entries(each.agents))) {
    agents.set(agent, sumOf(agents.get(agent) ?? {}, ends))
  }
  return { since, agents }
}

function sumOf(one: AgentEnds, other: AgentEnds): AgentEnds {
  const sum = { ...one }
  for (const status of ['completed', 'failed', 'canceled'] as const)
    sum[status] = (one[status] ?? 0) + (other[status] ?? 0)
  return sum
}

function hourOf(ms: number): Date {
  return new Date(Math.floor(ms / HOUR_MS) * HOUR_MS)
}
