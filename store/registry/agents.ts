import type { Filter } from 'mongodb'
import type { Store } from '../mongodb/connect.ts'
import type { AgentDocument, AgentKind } from '../documents.ts'

/** A pool without a heartbeat for this long has no live worker. */
const POOL_SILENT_MS = 30_000

/** An agent as a worker registers it. */
export interface RegisteredAgent {
  name: string
  role: string
  goal: string
  kind: AgentKind
  models: string[]
  tools: { name: string; description: string; parameters: unknown }[]
  inputSchema?: { json: Record<string, unknown> } | undefined
  outputSchema?: { json: Record<string, unknown> } | undefined
  /** Name of its model if the price of that model is unknown. */
  unpriced?: string | undefined
}

/** An agent's description for the model of an agent that may call it. */
export interface AgentProfile {
  name: string
  role: string
  goal: string
  /** JSON text of its input schema; absent if it accepts any inputs. */
  input?: string
}

/** Registers the agents of a pool's workers: one row for each agent and pool. */
export async function registerAgents(
  { agents }: Store,
  hosted: Iterable<RegisteredAgent>,
  pool: string,
  now: Date,
): Promise<void> {
  const writes = [...hosted].map((agent) => ({
    replaceOne: { filter: { _id: rowId(agent.name, pool) }, replacement: rowOf(agent, pool, now), upsert: true },
  }))
  if (writes.length > 0) await agents.bulkWrite(writes, { ordered: false })
}

function rowOf(
  { name, role, goal, kind, models, unpriced, tools, inputSchema, outputSchema }: RegisteredAgent,
  pool: string,
  last_seen: Date,
): Omit<AgentDocument, '_id'> {
  return {
    name,
    role,
    goal,
    pool,
    kind,
    models,
    unpriced,
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: JSON.stringify(parameters),
    })),
    input: inputSchema && JSON.stringify(inputSchema.json),
    output: outputSchema && JSON.stringify(outputSchema.json),
    last_seen,
  }
}

/**
 * Records that a worker of the pool that hosts these agents is alive.
 * @returns false if the registry has lost one of them; the caller registers them again.
 */
export async function beatAgents({ agents }: Store, names: string[], pool: string, now: Date): Promise<boolean> {
  const filter = { _id: { $in: names.map((name) => rowId(name, pool)) } }
  const { matchedCount } = await agents.updateMany(filter, { $max: { last_seen: now } })
  return matchedCount === names.length
}

/** The pool of an agent and its kind there. */
export interface AgentPool {
  pool: string
  kind: AgentKind
}

/**
 * Returns the pool for running an agent: one with live workers, otherwise the one whose workers were seen last. Of
 * several live pools, it prefers `preferred`, then the first one by name. Undefined if no worker has ever registered
 * the agent.
 */
export async function findPool(
  { agents }: Store,
  name: string,
  preferred: string,
  now: Date,
): Promise<AgentPool | undefined> {
  const rows = await agents.find({ name }, { projection: { pool: 1, kind: 1, last_seen: 1 } }).toArray()
  const living = rows.filter((row) => isAlive(row, now)).sort((one, other) => (one.pool < other.pool ? -1 : 1))
  const [latest] = rows.sort((one, other) => other.last_seen.getTime() - one.last_seen.getTime())
  const found = living.find(({ pool }) => pool === preferred) ?? living[0] ?? latest
  return found === undefined ? undefined : { pool: found.pool, kind: found.kind }
}

/** Whether a worker that hosts the agent in this pool has sent a recent heartbeat. */
export function isAlive({ last_seen }: Pick<AgentDocument, 'last_seen'>, now: Date): boolean {
  return now.getTime() - last_seen.getTime() <= POOL_SILENT_MS
}

/** An agent's name, input schema and unpriced model. Its pool is determined when it runs. */
export type KnownAgent = Pick<AgentDocument, 'name' | 'input' | 'unpriced'>

/** Returns the agents that a worker has ever registered, each as registered last. */
export async function knownAgents({ agents }: Store, names: string[]): Promise<Map<string, KnownAgent>> {
  const filter = { name: { $in: [...new Set(names)] } }
  const found = await agents
    .find(filter, { projection: { name: 1, input: 1, unpriced: 1 } })
    .sort({ last_seen: 1 })
    .toArray()
  return new Map(
    found.map(({ name, input, unpriced }) => [name, { name, input, ...(unpriced != null && { unpriced }) }]),
  )
}

/** Lists agents by name, each as registered by the pool that was seen last. */
export function listAgentRows(
  { agents }: Store,
  filter: Filter<AgentDocument>,
  { offset, limit }: { offset: number; limit: number },
): Promise<AgentDocument[]> {
  const latest = { $group: { _id: '$name', row: { $first: '$$ROOT' } } }
  const stages = [{ $match: filter }, { $sort: { name: 1, last_seen: -1 } }, latest, { $sort: { _id: 1 } }]
  return agents
    .aggregate<AgentDocument>([...stages, { $skip: offset }, { $limit: limit }, { $replaceRoot: { newRoot: '$row' } }])
    .toArray()
}

/** Returns the names of agents with a live worker. */
export async function activeAgents({ agents }: Store, now: Date): Promise<string[]> {
  return agents.distinct('name', { last_seen: { $gte: new Date(now.getTime() - POOL_SILENT_MS) } })
}

/** Returns role, goal and input schema of agents in the order of `names`, without unregistered ones. */
export async function findProfiles({ agents }: Store, names: string[]): Promise<AgentProfile[]> {
  if (names.length === 0) return []
  const projection = { name: 1, role: 1, goal: 1, input: 1 } as const
  const found = await agents
    .find({ name: { $in: names } }, { projection })
    .sort({ last_seen: 1 })
    .toArray()
  const byName = new Map(found.map(({ _id, ...profile }) => [profile.name, profile]))
  return names.flatMap((name) => byName.get(name) ?? [])
}

function rowId(name: string, pool: string): string {
  return `${name}|${pool}`
}
