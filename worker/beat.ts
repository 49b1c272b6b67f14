import type { LoadedAgent } from '../agents/loaded-agent.ts'
import { beat, registerAgents } from '../agents/registry.ts'
import { messageOf } from '../core/errors.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/connect.ts'
import { until } from './until.ts'

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

/** Registers the agents of a worker and says that it is alive, until it is stopped. */
export function startBeating({ store, log, agents, pool }: BeatingOptions): Beating {
  const names = agents.map(({ name }) => name)
  const register = () => registerAgents(store, agents, pool, new Date())
  const once = async (): Promise<void> => {
    try {
      if (!(await beat(store, names, new Date()))) await register()
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'the registry did not take a beat; the next one follows')
    }
  }
  const timer = setInterval(once, BEAT_MS)
  return { first: until('MongoDB', log, register), stop: () => clearInterval(timer) }
}
