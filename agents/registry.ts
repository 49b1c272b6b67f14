import type { Store } from '../store/connect.ts'
import type { AgentPlace } from '../store/documents.ts'
import type { LoadedAgent } from './loaded-agent.ts'

/** What another agent's model is told about an agent it may call. */
export interface AgentProfile {
  name: string
  role: string
  goal: string
}

/**
 * Registers the agents that a worker hosts; an agent that was registered before moves to this pool.
 * @param pool - name of the pool (task queue) whose workers loaded them.
 */
export async function registerAgents(
  store: Store,
  agents: Iterable<LoadedAgent>,
  pool: string,
  now: Date,
): Promise<void> {
  const writes = [...agents].map((agent) => ({
    replaceOne: {
      filter: { _id: agent.name },
      replacement: {
        role: agent.role,
        goal: agent.goal,
        pool,
        kind: agent.kind,
        tools: agent.tools.map(({ name, description, parameters }) => ({
          name,
          description,
          parameters: JSON.stringify(parameters),
        })),
        last_seen: now,
      },
      upsert: true,
    },
  }))
  if (writes.length > 0) await store.agents.bulkWrite(writes, { ordered: false })
}

/**
 * Says that a worker which hosts these agents is alive.
 * @returns false when the registry lost one of them: register again.
 */
export async function beat(store: Store, names: string[], now: Date): Promise<boolean> {
  const { matchedCount } = await store.agents.updateMany({ _id: { $in: names } }, { $max: { last_seen: now } })
  return matchedCount === names.length
}

/** Where an agent lives; undefined when no worker ever registered it. */
export async function findPlace(store: Store, name: string): Promise<AgentPlace | undefined> {
  const found = await store.agents.findOne({ _id: name }, { projection: { pool: 1, kind: 1 } })
  return found ? { name, pool: found.pool, kind: found.kind } : undefined
}

/** Role and goal of agents, in the order of the names; those that nobody registered are left out. */
export async function findProfiles(store: Store, names: string[]): Promise<AgentProfile[]> {
  if (names.length === 0) return []
  const found = await store.agents.find({ _id: { $in: names } }, { projection: { role: 1, goal: 1 } }).toArray()
  const byName = new Map(found.map((agent) => [agent._id, { name: agent._id, role: agent.role, goal: agent.goal }]))
  return names.flatMap((name) => byName.get(name) ?? [])
}
