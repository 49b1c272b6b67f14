import type { AgentRun, Parked } from '../../core/execution.ts'

/** Creates a wait for a time. */
export function parkedUntil(until: number, reason: string): Parked {
  return { status: 'parked', calls: [], until, reason }
}

/** Creates a wait for an agent that this worker does not host. */
export function parkedForCall(call: AgentRun): Parked {
  return { status: 'parked', calls: [call], until: null, reason: `waits for agent ${call.agent} in another pool` }
}

/** Combines several waits: the run continues after the first of them. */
export function together(waits: Parked[]): Parked {
  const times = waits.flatMap(({ until }) => (until === null ? [] : [until]))
  return {
    status: 'parked',
    calls: waits.flatMap(({ calls }) => calls),
    until: times.length === 0 ? null : Math.min(...times),
    reason: [...new Set(waits.map(({ reason }) => reason))].join('; ').slice(0, 500),
  }
}

/**
 * Maximum number of a run's called agents that run elsewhere at once. Temporal allows a workflow 2,000 activities, and
 * 2 MB for a leg's result.
 */
const MAX_CALLS_UNDER_WAY = 300

/**
 * Limits the calls that a run hands to its workflow: the active calls, and as many others as fit. The code makes the
 * remaining calls when it is entered again.
 * @param underWay - paths of the calls that the workflow has begun. Naming a call again reports its end.
 */
export function handedOver(parked: Parked, underWay: readonly string[] = []): Parked {
  if (parked.calls.length <= MAX_CALLS_UNDER_WAY) return parked
  const begun = new Set(underWay)
  const open = parked.calls.filter(({ path }) => begun.has(path))
  const others = parked.calls.filter(({ path }) => !begun.has(path))
  return { ...parked, calls: [...open, ...others.slice(0, Math.max(0, MAX_CALLS_UNDER_WAY - open.length))] }
}
