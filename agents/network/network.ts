import type { NetworkRules } from './guard.ts'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'

/** Network access of a worker process for the code of its agents. */
export interface Network {
  /**
   * Returns the `fetch` of an agent's context.
   * @param rules - the agent's own rules (`network` of its definition).
   * @param signal - aborts its requests.
   */
  fetchFor: (rules: NetworkRules | undefined, signal: AbortSignal) => typeof fetch
  /** Closes all connections. */
  close: () => Promise<void>
}

/**
 * Creates the network access of a worker. Agents with the same rules object share one guarded `fetch`.
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
