import type { EndStatus, ExecutionStatus } from './execution.ts'

/**
 * Who may write for an agent run. An attempt takes the run with its first write; each later write of it requires that the
 * take still names it.
 */
export interface Take {
  /** Counts the takes of the run, from 1. */
  n: number
  /** The attempt that holds the run: random, and part of the names of its objects. */
  attempt: string
  /** The worker that it runs in; null once it let go. */
  worker: string | null
  /** Times in a row that a worker died or froze under the run without a step having been recorded. */
  lost: number
  /** Times that it ran alone for a while without harm, after workers had been lost. */
  acquitted?: number
  /** Records of the run when it was taken over. */
  records?: number
  /** Id of the run's task_start; null when events are not kept. */
  start?: number | null
  started_at?: Date
  /** The attempt that wrote the run's start. */
  started_by?: string
}

/** The attempt that writes, and the agent run that it holds. */
export interface Writer {
  /** Path of the run. */
  path: string
  attempt: string
}

/** Workers that a run may lose in a row before it is ended. */
export const MAX_LOST_WORKERS = 3
/** Acquittals that count: each allows one more loss. What takes longer to do harm is found out later, but it is. */
const MAX_ACQUITTALS = 3

/**
 * What is known of tries at a run before this one that recorded nothing: there was none, there may have been, or there was one
 * whose worker was lost.
 */
export type Tried = 'no' | 'maybe' | 'lost'

/** What an attempt that wants to run finds. */
export interface TakeSituation {
  /** The take that was read; undefined when nobody has taken the run yet. */
  seen: Take | undefined
  /** Whether the worker of a take lives, as far as this one can tell. */
  isAlive: (worker: string) => boolean
  /** This worker: what it holds itself and does not run any more, it has given up. */
  me: string
  /** Records of the run. */
  records: number
  tried: Tried
}

export type TakeDecision =
  | { action: 'take'; take: Pick<Take, 'n' | 'lost' | 'records'> }
  /** Somebody else is at it. */
  | { action: 'wait' }
  /** It has cost too many workers. */
  | { action: 'give_up' }

/** Whether an attempt may begin, has to wait for another one, or must not begin at all. */
export function decideTake({ seen, isAlive, me, records, tried }: TakeSituation): TakeDecision {
  if (seen === undefined) return { action: 'take', take: { n: 1, lost: tried === 'lost' ? 1 : 0, records } }
  const n = seen.n + 1
  if (seen.worker === null || seen.worker === me) return { action: 'take', take: { n, lost: 0, records } }
  if (isAlive(seen.worker)) return { action: 'wait' }
  const lost = records > (seen.records ?? 0) ? 1 : seen.lost + 1
  const allowed = MAX_LOST_WORKERS + Math.min(seen.acquitted ?? 0, MAX_ACQUITTALS)
  return lost >= allowed ? { action: 'give_up' } : { action: 'take', take: { n, lost, records } }
}

/** The part of an execution that decides whether a write is let in. */
export interface WriteState {
  status: ExecutionStatus
  /** Whether it has come to rest: nothing is written for it any more. */
  atRest: boolean
  /** The attempt that holds the run in question; undefined before the first take. */
  attempt: string | undefined
}

/** What a write rests on. */
export interface WriteCondition {
  /** The attempt that writes; undefined for a cancel or the reconciler. */
  attempt?: string
  /** The attempt that the write takes the run from; null when nobody had it. */
  takesFrom?: string | null
  /** The write ends the execution. */
  ends?: EndStatus
}

/** Whether a write is let in; the ledger's transaction asks MongoDB the same. */
export function mayWrite(state: WriteState, { attempt, takesFrom, ends }: WriteCondition): boolean {
  if (takesFrom !== undefined) return state.status === 'running' && (state.attempt ?? null) === takesFrom
  if (attempt !== undefined && (state.atRest || state.attempt !== attempt)) return false
  return ends === undefined || state.status === 'running' || (ends === 'canceled' && !state.atRest)
}

/** How far a model agent has come. */
export interface AgentProgress {
  /** Model calls whose calls are all recorded. */
  steps: number
  /** Calls of the last answer that are not recorded, by their indexes. */
  missing: number[]
  /** The last answer asked for nothing more. */
  isFinal: boolean
}

export type NextStep = { action: 'finish' | 'ask' | 'max_steps' } | { action: 'call'; calls: number[] }

/** What a model agent does next. */
export function decideNext({ steps, missing, isFinal }: AgentProgress, maxSteps: number): NextStep {
  if (isFinal) return { action: 'finish' }
  if (missing.length > 0) return { action: 'call', calls: missing }
  return { action: steps >= maxSteps ? 'max_steps' : 'ask' }
}

/** What is known of the attempts at one model call that failed. */
export interface Failures {
  count: number
  /** When the first of them failed. */
  since: Date
  /** Of them, answers that could not be read. */
  malformed: number
  /** Of them, calls that had begun to be answered, and were paid for. */
  paid: number
  /** Of them, errors that nobody knows. */
  unexplained: number
  /** Of them, calls of the model that the run asks now. */
  ofModel: number
}

export interface FailedCall {
  /** The provider could not serve it now; the same call may succeed later. */
  retryable: boolean
  /** The answer could not be read. */
  malformed: boolean
  /** An answer had begun, and was paid for. */
  paid: boolean
  /** The provider told an error that nobody knows: it may pass, or not. */
  unexplained: boolean
  /** What the provider asked for. */
  retryAfterMs?: number | undefined
}

/** Errors with which a run goes on with its next model at once. */
const GIVEN_UP = new Set([
  'provider_unauthorized',
  'missing_key',
  'model_not_found',
  'context_overflow',
  'quota_exhausted',
])
/** Errors of a provider that is away: the second call finds out whether it is. */
const AWAY = new Set(['provider_unavailable', 'provider_timeout', 'provider_error'])
const ATTEMPTS_AT_ONE_THAT_IS_AWAY = 2
/** A provider that limits for longer is not waited for where there is another model. */
export const LONGEST_COOL_DOWN_WAIT_MS = 10_000

/** Whether a run with another model to ask goes on with that one. @param code - of the error */
export function givesModelUp(code: unknown, { retryAfterMs = 0 }: FailedCall, { ofModel }: Failures): boolean {
  if (typeof code !== 'string') return false
  if (code === 'rate_limited') return retryAfterMs > LONGEST_COOL_DOWN_WAIT_MS
  return GIVEN_UP.has(code) || (AWAY.has(code) && ofModel >= ATTEMPTS_AT_ONE_THAT_IS_AWAY)
}

export type Retry = { action: 'fail' } | { action: 'retry'; inMs: number }

/** Malformed answers to one call before it has failed. */
export const MAX_MALFORMED = 6
/** Answers to one call that broke off before it has failed: what cuts off each of them would be paid for day and night. */
export const MAX_PAID_IN_VAIN = 30
/** Errors that nobody knows, of one call, before it has failed: enough for some minutes of an outage. */
export const MAX_UNEXPLAINED = 10
/** How long a provider may push back. */
export const MAX_PUSH_BACK_MS = 86_400_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 90_000
const LONGEST_RETRY_AFTER_MS = 3_600_000
const JITTER = 0.2

/**
 * Whether a model call that failed is made again, and when.
 * @param failures - with this one.
 * @param random - of [0, 1), so that those that were pushed back together do not come back together.
 */
export function decideRetry(call: FailedCall, failures: Failures, now: Date, random: number): Retry {
  if (!call.retryable || failures.malformed >= MAX_MALFORMED) return { action: 'fail' }
  if (failures.paid >= MAX_PAID_IN_VAIN || failures.unexplained >= MAX_UNEXPLAINED) return { action: 'fail' }
  if (now.getTime() - failures.since.getTime() > MAX_PUSH_BACK_MS) return { action: 'fail' }
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures.count - 1), LONGEST_PAUSE_MS)
  if (call.retryAfterMs === undefined)
    return { action: 'retry', inMs: Math.round(pause * (1 + JITTER * (2 * random - 1))) }
  // Never earlier than asked for, and not all at the same moment.
  const asked = Math.min(call.retryAfterMs, LONGEST_RETRY_AFTER_MS)
  return { action: 'retry', inMs: Math.round(asked + Math.max(asked, FIRST_PAUSE_MS) * JITTER * random) }
}

/** What the reconciler finds of an execution or batch that has not come to rest. */
export interface ReconcileSituation {
  /** Status of its latest workflow at Temporal; undefined when there is none. */
  workflow: string | undefined
  /** It cannot go on: its workflow task fails again and again. */
  problem?: { isRestartable: boolean } | undefined
  /** When it was last started anew, and how often. */
  restarts?: { count: number; at: Date } | undefined
}

/**
 * - `start`: nothing runs for it
 * - `restart`: what runs can never go on, and goes on from its records when it is started anew
 * - `report`: what runs cannot go on with this version of the code; it waits for another one
 * - `record_stop`: it was canceled at Temporal
 * - `fail`: it was ended outside the service
 */
export type ReconcileAction = 'nothing' | 'start' | 'restart' | 'report' | 'record_stop' | 'fail'

const FIRST_RESTART_PAUSE_MS = 30_000
const LONGEST_RESTART_PAUSE_MS = 3_600_000

/** What the reconciler does about an execution that the records call running. */
export function reconcileAction({ workflow, problem, restarts }: ReconcileSituation, now: Date): ReconcileAction {
  // One that has completed left its execution unfinished: the record of the end was lost, or tasks were added since.
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
