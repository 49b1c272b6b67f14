import type { LoadedAgent } from '../agents/loaded-agent.ts'
import { messageOf } from '../core/errors.ts'
import type { Log } from '../log.ts'
import { beatAgents, registerAgents } from '../store/registry/agents.ts'
import type { Store } from '../store/mongodb/connect.ts'
import { retryUntilConnected } from './retry-until-connected.ts'

/** Three beats fit into the 30 seconds after which an agent counts as inactive. */
const BEAT_MS = 8_000

export interface Beating {
  /** Resolves when the agents are registered. */
  first: Promise<void>
  stop: () => void
}

export interface BeatingOptions {
  store: Store
  log: Log
  agents: LoadedAgent[]
  pool: string
}

/** Registers the agents of a worker, and renews their registration in its pool until it is stopped. */
export function startBeating({ store, log, agents, pool }: BeatingOptions): Beating {
  const names = agents.map(({ name }) => name)
  const register = () => registerAgents(store, agents, pool, new Date())
  const beat = async (): Promise<void> => {
    try {
      if (!(await beatAgents(store, names, pool, new Date()))) await register()
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'cannot renew the registration of the agents; trying again')
    }
  }
  const timer = setInterval(beat, BEAT_MS)
  return { first: retryUntilConnected('MongoDB', log, register), stop: () => clearInterval(timer) }
}
