import type { JobFilter } from './api/queries.ts'

type Given = Record<string, unknown>

const STATUSES = ['running', 'completed', 'failed', 'canceled'] as const
const KINDS = ['prompt', 'job', 'task', 'chat'] as const
const WINDOWS = [15, 60, 360, 1_440] as const

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
}

function oneOf<Value>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((known) => known === value)
}

/** Search parameters without those that are not set. */
function defined<Search extends object>(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search
}

/** The overview's window in minutes. */
export function overviewSearch(given: Given): { minutes?: (typeof WINDOWS)[number] | undefined } {
  return defined({ minutes: oneOf(WINDOWS, given.minutes) })
}

/** The filter of the executions. */
export function executionsSearch(given: Given): JobFilter {
  return defined({
    status: oneOf(STATUSES, given.status),
    kind: oneOf(KINDS, given.kind),
    agent: text(given.agent),
    batch_id: text(given.batch_id),
    since: text(given.since),
    until: text(given.until),
    id_prefix: text(given.id_prefix),
  })
}

/**
 * What is open of an execution: its tab, the event in the drawer, what its timeline is filtered by, the part of the time that it
 * shows (in milliseconds from the beginning), and whether the critical path is shown and repeats are folded.
 */
export function executionSearch(given: Given): {
  tab?: 'timeline' | 'log' | 'data' | 'tokens' | undefined
  span?: number | undefined
  find?: string | undefined
  errors?: true | undefined
  path?: true | undefined
  fold?: true | undefined
  from?: number | undefined
  to?: number | undefined
} {
  return defined({
    tab: oneOf(['timeline', 'log', 'data', 'tokens'] as const, given.tab),
    span: typeof given.span === 'number' ? given.span : undefined,
    find: text(given.find),
    errors: given.errors === true ? (true as const) : undefined,
    path: given.path === true ? (true as const) : undefined,
    fold: given.fold === true ? (true as const) : undefined,
    from: typeof given.from === 'number' ? given.from : undefined,
    to: typeof given.to === 'number' ? given.to : undefined,
  })
}

/** Whether the tasks of a batch are listed, and which, or their inputs, or its tokens: its failures are shown else. */
export function batchSearch(given: Given): {
  tab?: 'tasks' | 'inputs' | 'tokens' | undefined
  state?: (typeof TASK_STATES)[number] | undefined
} {
  const state = oneOf(TASK_STATES, given.state)
  return defined({
    tab: state === undefined ? oneOf(['tasks', 'inputs', 'tokens'] as const, given.tab) : ('tasks' as const),
    state,
  })
}

/** The batch that tasks are added to; a new one else. */
export function newBatchSearch(given: Given): { to?: string | undefined } {
  return defined({ to: text(given.to) })
}

/** What the events of the live page are filtered by, and whether those of each execution are together. */
export function liveSearch(given: Given): { find?: string | undefined; group?: true | undefined } {
  return defined({ find: text(given.find), group: given.group === true ? (true as const) : undefined })
}

/** What the lines of a log are filtered by, and where it begins: with so many lines, or at a duration before now or a time. */
export function logSearch(given: Given): {
  find?: string | undefined
  tail?: number | undefined
  since?: string | undefined
} {
  const since = text(given.since)
  const tail = typeof given.tail === 'number' && given.tail > 0 ? Math.trunc(given.tail) : undefined
  return defined({ find: text(given.find), tail: since === undefined ? tail : undefined, since })
}

/** The states of a task. */
export const TASK_STATES = ['failed', 'running', 'waiting', 'completed', 'canceled'] as const

/** The two executions that are compared. */
export function compareSearch(given: Given): { a?: string | undefined; b?: string | undefined } {
  return defined({ a: text(given.a), b: text(given.b) })
}

/** The agent that the playground begins with, the execution that it shows, and the one whose inputs it takes. */
export function playgroundSearch(given: Given): {
  agent?: string | undefined
  run?: string | undefined
  from?: string | undefined
} {
  return defined({ agent: text(given.agent), run: text(given.run), from: text(given.from) })
}

/** The windows that the overview offers, in minutes. */
export const OVERVIEW_WINDOWS = WINDOWS
