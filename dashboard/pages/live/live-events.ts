import type { SystemEvent } from '../../../client/index.ts'

const RATE_WINDOW_MS = 10_000
const LEAST_WINDOW_MS = 1_000

/** What came of one execution lately. */
export interface ExecutionEvents {
  jobId: string
  /** In the order in which they were first heard of. */
  agents: string[]
  /** Events that are kept of it. */
  count: number
  /** How many of them are failures. */
  failures: number
  newest: SystemEvent
}

/** Whether an event names a text, in any case. @param wanted - in lower case */
export function fits({ agent_name, event_type, job_id }: SystemEvent, wanted: string): boolean {
  return [agent_name, event_type, job_id].some((text) => text.toLowerCase().includes(wanted))
}

/**
 * Events a second over the last ten seconds, or over as long as is known of.
 * @param events - the newest that there were, oldest first
 * @param nowMs - by the service's clock, whose times the events bear
 */
export function eventsPerSecond(events: readonly SystemEvent[], nowMs: number): number {
  const sinceMs = nowMs - RATE_WINDOW_MS
  const before = events.findLastIndex(({ timestamp }) => Date.parse(timestamp) < sinceMs)
  const recent = events.length - 1 - before
  const oldest = events[0]
  // Where all that are kept are recent, there were more before them, or nobody had listened yet.
  const isWhole = before >= 0 || oldest === undefined
  const windowMs = isWhole ? RATE_WINDOW_MS : Math.max(LEAST_WINDOW_MS, nowMs - Date.parse(oldest.timestamp))
  return recent / (windowMs / 1_000)
}

/** The events of each execution together, in the order of the events: the execution that was heard of first comes first. */
export function groupByExecution(events: readonly SystemEvent[]): ExecutionEvents[] {
  const groups = new Map<string, ExecutionEvents>()
  for (const event of events) {
    const known = groups.get(event.job_id)
    const group = known ?? { jobId: event.job_id, agents: [], count: 0, failures: 0, newest: event }
    if (known === undefined) groups.set(event.job_id, group)
    if (!group.agents.includes(event.agent_name)) group.agents.push(event.agent_name)
    group.count += 1
    if (event.event_type === 'error') group.failures += 1
    group.newest = event
  }
  return [...groups.values()]
}
