import type { NetworkRules } from './guard.ts'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'

/** The way out of a worker process for the code of its agents. */
export interface Network {
  /**
   * The `fetch` of an agent, as its context offers it.
   * @param rules - the agent's own (`network` of its definition).
   * @param signal - ends its requests.
   */
  fetchFor: (rules: NetworkRules | undefined, signal: AbortSignal) => typeof fetch
  /** Ends all connections. */
  close: () => Promise<void>
}

/**
 * Creates the guarded fetches of a worker's agents; agents with the same rules share one.
 * @param allowPrivate - targets in private networks that every agent may reach (NETWORK_ALLOW_PRIVATE).
 */
export function createNetwork(allowPrivate: readonly string[]): Network {
  const byRules = new Map<NetworkRules | undefined, GuardedFetch>()
  const guardedFor = (rules: NetworkRules | undefined): GuardedFetch => {
    const guarded = byRules.get(rules) ?? createGuardedFetch({ ...rules, allowPrivate })
    byRules.set(rules, guarded)
    return guarded
  }
  return {
    fetchFor: (rules, signal) => (input, init) => {
      const signals = [signal, ...(init?.signal ? [init.signal] : [])]
      return guardedFor(rules).fetch(input, { ...init, signal: AbortSignal.any(signals) })
    },
    close: async () => {
      await Promise.all([...byRules.values()].map((guarded) => guarded.close()))
    },
  }
}
