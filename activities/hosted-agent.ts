import type { LoadedAgent } from '../agents/loaded-agent.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { toFailure } from './failures.ts'

/** An agent that this worker does not know may be known to the next one that takes the attempt. */
const NEXT_WORKER_MS = 2_000

/**
 * The definition of an agent that a workflow sent here.
 * @throws ApplicationFailure agent_not_hosted, retried: another worker of the pool may have it, or this one after its update.
 */
export function hostedAgent({ agents, worker }: ActivityDependencies, name: string): LoadedAgent {
  const agent = agents.get(name)
  if (agent !== undefined) return agent
  const error = Object.assign(new Error(`Worker ${worker} does not host agent "${name}".`), {
    code: 'agent_not_hosted',
  })
  throw toFailure(error, { retryAfterMs: NEXT_WORKER_MS })
}
