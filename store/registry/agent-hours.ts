import type { AnyBulkWriteOperation, ClientSession, Collection } from 'mongodb'
import type { Store } from '../mongodb/connect.ts'
import type { AgentEnds } from '../documents.ts'
import { inSnapshot } from '../mongodb/in-snapshot.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How the runs of all agents ended within one hour: a day of them is 25 documents, however much ran. */
interface AgentHourDocument {
  /** The beginning of the hour, twice: an index that forgets does not work on the id. */
  _id: Date
  at: Date
  agents: Record<string, AgentEnds>
}

/** How runs of agents ended since a moment. */
export interface AgentDay {
  since: Date
  /** By the agent's name as a field name. */
  agents: Map<string, AgentEnds>
}

/** What ended within a time, by agent. */
interface Ends {
  at: Date
  agents: Record<string, AgentEnds>
}

function hoursOf({ db }: Pick<Store, 'db'>): Collection<AgentHourDocument> {
  return db.collection<AgentHourDocument>('agent_hours')
}

/** Adds minutes that are over to their hours. */
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

/** How the runs of agents ended in the last 24 hours, from the beginning of the hour in which these began. */
export async function readAgentDay(store: Store, now: Date): Promise<AgentDay> {
  const since = hourOf(now.getTime() - DAY_MS)
  // A snapshot: a minute that moves in between is neither missed nor counted twice.
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
