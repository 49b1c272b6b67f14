import type { EndStatus, ExecutionStatus } from './execution.ts'

/**
 * The write permission for an agent run. An attempt takes the run with its first write; each later write requires that
 * the take still names the attempt.
 */
export interface Take {
  /** Number of takes of the run, from 1. */
  n: number
  /** The attempt that holds the run: a random id, which is also part of its objects' names. */
  attempt: string
  /** The attempt's worker; null after the worker released the run. */
  worker: string | null
  /** Consecutive workers that died or froze under the run without a newly recorded step. */
  lost: number
  /** How often the run survived a while alone in a worker after workers had been lost. */
  acquitted?: number
  /** Number of the run's records at the takeover. */
  records?: number
  /** Id of the run's task_start; null if events are not kept. */
  start?: number | null
  started_at?: Date
  /** The attempt that wrote the run's start. */
  started_by?: string
}

/** A writing attempt, and the agent run that it holds. */
export interface Writer {
  /** Path of the run. */
  path: string
  attempt: string
}

/** Consecutive workers that a run may lose before it is ended. */
export const MAX_LOST_WORKERS = 3
/** Acquittals that count; each allows one more lost worker. The bound ensures that slow damage is found eventually. */
const MAX_ACQUITTALS = 3

/** Earlier tries at a run that recorded nothing: none, possibly one, or one whose worker was lost. */
export type Tried = 'no' | 'maybe' | 'lost'

/** The situation of an attempt that wants to take a run. */
export interface TakeSituation {
  /** The take that was read; undefined if the run was never taken. */
  seen: Take | undefined
  /** Whether a take's worker is alive, as far as this worker can tell. */
  isAlive: (worker: string) => boolean
  /** Id of this worker. A take of this worker that it no longer runs counts as released. */
  me: string
  /** Number of the run's records. */
  records: number
  tried: Tried
}

export type TakeDecision =
  | { action: 'take'; take: Pick<Take, 'n' | 'lost' | 'records'> }
  /** Another attempt is active. */
  | { action: 'wait' }
  /** The run has cost too many workers. */
  | { action: 'give_up' }

/** Decides whether an attempt may begin, must wait for another one, or must not begin. */
export function decideTake({ seen, isAlive, me, records, tried }: TakeSituation): TakeDecision {
  if (seen === undefined) return { action: 'take', take: { n: 1, lost: tried === 'lost' ? 1 : 0, records } }
  const n = seen.n + 1
  if (seen.worker === null || seen.worker === me) return { action: 'take', take: { n, lost: 0, records } }
  if (isAlive(seen.worker)) return { action: 'wait' }
  const lost = records > (seen.records ?? 0) ? 1 : seen.lost + 1
  const allowed = MAX_LOST_WORKERS + Math.min(seen.acquitted ?? 0, MAX_ACQUITTALS)
  return lost >= allowed ? { action: 'give_up' } : { action: 'take', take: { n, lost, records } }
}

/** The fields of an execution that decide whether a write is accepted. */
export interface WriteState {
  status: ExecutionStatus
  /** Whether the execution is at rest: nothing more is written for it. */
  atRest: boolean
  /** The attempt that holds the run in question; undefined before the first take. */
  attempt: string | undefined
}

/** The conditions of a write. */
export interface WriteCondition {
  /** The writing attempt; undefined for a cancel or the reconciler. */
  attempt?: string
  /** The attempt from which the write takes the run; null if the run was not taken. */
  takesFrom?: string | null
  /** The final status that the write gives the execution. */
  ends?: EndStatus
}

/** Whether a write is accepted. The ledger's transaction checks the same conditions in MongoDB. */
export function mayWrite(state: WriteState, { attempt, takesFrom, ends }: WriteCondition): boolean {
  if (takesFrom !== undefined) return state.status === 'running' && (state.attempt ?? null) === takesFrom
  if (attempt !== undefined && (state.atRest || state.attempt !== attempt)) return false
  return ends === undefined || state.status === 'running' || (ends === 'canceled' && !state.atRest)
}

/** The progress of a model agent. */
export interface AgentProgress {
  /** Model calls whose tool calls are all recorded. */
  steps: number
  /** Indexes of the last response's calls that are not recorded. */
  missing: number[]
  /** The last response contains no calls. */
  isFinal: boolean
}

export type NextStep = { action: 'finish' | 'ask' | 'max_steps' } | { action: 'call'; calls: number[] }

/** Decides the next step of a model agent. */
export function decideNext({ steps, missing, isFinal }: AgentProgress, maxSteps: number): NextStep {
  if (isFinal) return { action: 'finish' }
  if (missing.length > 0) return { action: 'call', calls: missing }
  return { action: steps >= maxSteps ? 'max_steps' : 'ask' }
}

/** The failed attempts at one model call. */
export interface Failures {
  count: number
  /** Time of the first failure. */
  since: Date
  /** Failures because the response could not be parsed. */
  malformed: number
  /** Failures after a response had begun, which were paid for. */
  paid: number
  /** Failures with an unrecognised error. */
  unexplained: number
  /** Failures of the currently used model. */
  ofModel: number
}

export interface FailedCall {
  /** The provider could not serve the call now; the same call may succeed later. */
  retryable: boolean
  /** The response could not be parsed. */
  malformed: boolean
  /** A response had begun and was paid for. */
  paid: boolean
  /** The provider reported an unrecognised error, which may or may not be temporary. */
  unexplained: boolean
  /** The delay that the provider asked for. */
  retryAfterMs?: number | undefined
}

/** Errors after which a run switches to its next model immediately. */
const GIVEN_UP = new Set([
  'provider_unauthorized',
  'missing_key',
  'model_not_found',
  'context_overflow',
  'quota_exhausted',
])
/** Errors of an unavailable provider; the second call confirms the outage. */
const AWAY = new Set(['provider_unavailable', 'provider_timeout', 'provider_error'])
const ATTEMPTS_AT_ONE_THAT_IS_AWAY = 2
/** A run that has another model does not wait for a longer rate limit. */
export const LONGEST_COOL_DOWN_WAIT_MS = 10_000

/**
 * Whether a run switches to its next model.
 * @param code - code of the error.
 */
export function givesModelUp(code: unknown, { retryAfterMs = 0 }: FailedCall, { ofModel }: Failures): boolean {
  if (typeof code !== 'string') return false
  if (code === 'rate_limited') return retryAfterMs > LONGEST_COOL_DOWN_WAIT_MS
  return GIVEN_UP.has(code) || (AWAY.has(code) && ofModel >= ATTEMPTS_AT_ONE_THAT_IS_AWAY)
}

export type Retry = { action: 'fail' } | { action: 'retry'; inMs: number }

/** Unparsable responses to one call until it fails. */
export const MAX_MALFORMED = 6
/**
 * Interrupted responses to one call until it fails. Without this bound, a persistent fault would cause cost without
 * end.
 */
export const MAX_PAID_IN_VAIN = 30
/** Unrecognised errors of one call until it fails; enough for an outage of some minutes. */
export const MAX_UNEXPLAINED = 10
/** The longest time for which a provider may push back. */
export const MAX_PUSH_BACK_MS = 86_400_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 90_000
const LONGEST_RETRY_AFTER_MS = 3_600_000
const JITTER = 0.2

/**
 * Decides whether and when a failed model call is repeated.
 * @param failures - including this one.
 * @param random - in [0, 1); it spreads the retries of calls that failed together.
 */
export function decideRetry(call: FailedCall, failures: Failures, now: Date, random: number): Retry {
  if (!call.retryable || failures.malformed >= MAX_MALFORMED) return { action: 'fail' }
  if (failures.paid >= MAX_PAID_IN_VAIN || failures.unexplained >= MAX_UNEXPLAINED) return { action: 'fail' }
  if (now.getTime() - failures.since.getTime() > MAX_PUSH_BACK_MS) return { action: 'fail' }
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures.count - 1), LONGEST_PAUSE_MS)
  if (call.retryAfterMs === undefined)
    return { action: 'retry', inMs: Math.round(pause * (1 + JITTER * (2 * random - 1))) }
  // Never earlier than the provider asked, and spread over time.
  const asked = Math.min(call.retryAfterMs, LONGEST_RETRY_AFTER_MS)
  return { action: 'retry', inMs: Math.round(asked + Math.max(asked, FIRST_PAUSE_MS) * JITTER * random) }
}

/** The reconciler's findings about an execution or batch that is not at rest. */
export interface ReconcileSituation {
  /** Status of the latest workflow in Temporal; undefined if there is none. */
  workflow: string | undefined
  /** The workflow cannot continue, because its workflow task fails repeatedly. */
  problem?: { isRestartable: boolean } | undefined
  /** The time of the last restart, and the number of restarts. */
  restarts?: { count: number; at: Date } | undefined
}

/**
 * - `start`: no workflow runs
 * - `restart`: the workflow can never continue; a new one continues from the records
 * - `report`: the workflow cannot continue with this version of the code, and waits for another version
 * - `record_stop`: the workflow was canceled in Temporal
 * - `fail`: the workflow was ended outside the service
 */
export type ReconcileAction = 'nothing' | 'start' | 'restart' | 'report' | 'record_stop' | 'fail'

const FIRST_RESTART_PAUSE_MS = 30_000
const LONGEST_RESTART_PAUSE_MS = 3_600_000

/** Decides what the reconciler does about a running execution. */
export function reconcileAction({ workflow, problem, restarts }: ReconcileSituation, now: Date): ReconcileAction {
  // A completed workflow left its execution unfinished: the record of the end was lost, or tasks were added later.
  if (workflow === undefined || workflow === 'COMPLETED') return 'start'
  if (workflow === 'CANCELLED') return 'record_stop'
  if (workflow !== 'RUNNING') return 'fail'
  if (problem === undefined) return 'nothing'
  if (!problem.isRestartable) return 'report'
  return mayRestart(restarts, now) ? 'restart' : 'report'
}

function mayRestart(restarts: ReconcileSituation['restarts'], now: Date): boolean {
  if (restarts === undefined) return true
  const pause = Math.min(FIRST_RESTART_PAUSE_MS * 2 ** (restarts.count - 1), LONGEST_RESTART_PAUSE_MS)
  return now.getTime() - restarts.at.getTime() > pause
}
