import type { AgentRun } from '../../core/execution.ts'

/** A run that cannot go on before what only its workflow can give: agents of other pools, or a time to come. */
export interface Parked {
  status: 'parked'
  calls: AgentRun[]
  /** In ms since the epoch; null waits for the calls alone. */
  until: number | null
  reason: string
}

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
