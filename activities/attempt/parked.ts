import type { AgentRun, Parked } from '../../core/execution.ts'

/** A wait for a time. */
export function parkedUntil(until: number, reason: string): Parked {
  return { status: 'parked', calls: [], until, reason }
}

/** A wait for an agent that this worker does not host. */
export function parkedForCall(call: AgentRun): Parked {
  return { status: 'parked', calls: [call], until: null, reason: `waits for agent ${call.agent} in another pool` }
}

/** Several waits as one: the run goes on with the first that is over. */
export function together(waits: Parked[]): Parked {
  const times = waits.flatMap(({ until }) => (until === null ? [] : [until]))
  return {
    status: 'parked',
    calls: waits.flatMap(({ calls }) => calls),
    until: times.length === 0 ? null : Math.min(...times),
    reason: [...new Set(waits.map(({ reason }) => reason))].join('; ').slice(0, 500),
  }
}

/** Called agents that a run has under way elsewhere at once: of a workflow Temporal takes 2,000 activities, and 2 MB as a leg's result. */
const MAX_CALLS_UNDER_WAY = 300

/**
 * What a run hands to its workflow: the calls that are under way, and as many others as may join them. The rest is called when the
 * code is entered again.
 * @param underWay - paths of the calls that the workflow has begun: one that ended meanwhile is told by being named again.
 */
export function handedOver(parked: Parked, underWay: readonly string[] = []): Parked {
  if (parked.calls.length <= MAX_CALLS_UNDER_WAY) return parked
  const begun = new Set(underWay)
  const open = parked.calls.filter(({ path }) => begun.has(path))
  const others = parked.calls.filter(({ path }) => !begun.has(path))
  return { ...parked, calls: [...open, ...others.slice(0, Math.max(0, MAX_CALLS_UNDER_WAY - open.length))] }
}
