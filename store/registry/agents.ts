import type { Filter } from 'mongodb'
import type { Store } from '../mongodb/connect.ts'
import type { AgentDocument, AgentKind } from '../documents.ts'

/** A pool without a beat for this long has no worker. */
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
  /** Its model, where nobody knows its price. */
  unpriced?: string | undefined
}

/** What another agent's model is told about an agent it may call. */
export interface AgentProfile {
  name: string
  role: string
  goal: string
  /** JSON text of the schema of its inputs; absent where it takes any. */
  input?: string
}

/** Registers the agents that the workers of a pool host: one row for each agent and pool. */
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
 * Says that a worker of a pool which hosts these agents is alive.
 * @returns false when the registry lost one of them: register again.
 */
export async function beatAgents({ agents }: Store, names: string[], pool: string, now: Date): Promise<boolean> {
  const filter = { _id: { $in: names.map((name) => rowId(name, pool)) } }
  const { matchedCount } = await agents.updateMany(filter, { $max: { last_seen: now } })
  return matchedCount === names.length
}

/** Where an agent is run, and how it works there. */
export interface AgentPool {
  pool: string
  kind: AgentKind
}

/**
 * The pool in which an agent is run: one whose workers live, else the one whose workers were seen last. Among several the
 * first by name, unless `preferred` is one of them. Undefined when no worker ever registered the agent.
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

/** Whether a worker that hosts the agent in its pool has beaten lately. */
export function isAlive({ last_seen }: Pick<AgentDocument, 'last_seen'>, now: Date): boolean {
  return now.getTime() - last_seen.getTime() <= POOL_SILENT_MS
}

/** An agent by name, with what it takes; where it runs is found when it runs. */
export type KnownAgent = Pick<AgentDocument, 'name' | 'input' | 'unpriced'>

/** Those of the names that a worker has registered at some time, each as it was registered last. */
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

/** Agents in the order of their names, each as the pool that was seen last registered it. */
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

/** Names of the agents that a living worker hosts. */
export async function activeAgents({ agents }: Store, now: Date): Promise<string[]> {
  return agents.distinct('name', { last_seen: { $gte: new Date(now.getTime() - POOL_SILENT_MS) } })
}

/** Role, goal and input of agents, in the order of the names; those that nobody registered are left out. */
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
