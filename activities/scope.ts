import { Context } from '@temporalio/activity'
import { CancelledFailure } from '@temporalio/common'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, messageOf } from '../core/errors.ts'
import { isTemporalAway } from '../api/temporal-away.ts'
import { isTransient } from '../store/transient.ts'
import type { ActivityDependencies } from './dependencies.ts'

/** Well below the heartbeat timeout of workflows/activities.ts, so that a busy event loop is not taken for a dead worker. */
const BEAT_MS = 2_500

/** What runs inside an activity on behalf of one execution. */
export interface Scope {
  /** Fires when the execution is canceled, the engine gives the activity up, or the worker stops. */
  signal: AbortSignal
  /** Whether the work is to stop for good, and not only this attempt at it. */
  isCanceled: () => boolean
  heartbeat: (detail?: unknown) => void
}

/** The scope of an activity's body. */
export interface ActivityScope extends Scope {
  /** Number of this attempt, from 1. */
  attempt: number
}

/** What `inScope` gives when the execution was canceled meanwhile. */
export const CANCELED = Symbol('canceled')

/**
 * Runs the body of an activity: it beats by itself, and its signal fires on a cancel without waiting for a heartbeat's
 * answer.
 * @returns what the body gives; CANCELED when the execution was canceled and the body stopped because of it.
 */
export function inScope<Result>(
  deps: Pick<ActivityDependencies, 'cancels'>,
  jobId: string,
  body: (scope: ActivityScope) => Promise<Result>,
): Promise<Result | typeof CANCELED> {
  const context = Context.current()
  const scoped = (canceled: AbortSignal): Promise<Result> =>
    body({
      signal: AbortSignal.any([context.cancellationSignal, canceled]),
      isCanceled: () => canceled.aborted || isTakenAway(context),
      attempt: context.info.attempt,
      heartbeat: (detail) => context.heartbeat(detail),
    })
  return whileBeating(context, () => untilCanceled(deps, jobId, scoped))
}

/** Whether the engine said that an activity's work is to stop for good. */
export function isTakenAway(context: Context): boolean {
  return context.cancellationDetails?.cancelRequested === true
}

/** Lets an activity beat while something goes on for it. */
export async function whileBeating<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  const beats = setInterval(() => context.heartbeat(), BEAT_MS)
  try {
    return await work()
  } catch (error) {
    // Whatever was thrown after the engine took the activity away, the engine wants to hear just that.
    if (context.cancellationSignal.aborted) throw new CancelledFailure(messageOf(context.cancellationSignal.reason))
    throw error
  } finally {
    clearInterval(beats)
  }
}

/** Tells a body of the cancel of its execution; CANCELED when it stopped because of that. */
export async function untilCanceled<Result>(
  { cancels }: Pick<ActivityDependencies, 'cancels'>,
  jobId: string,
  body: (canceled: AbortSignal) => Promise<Result>,
): Promise<Result | typeof CANCELED> {
  const { signal, release } = cancels.watch(jobId)
  try {
    return await body(signal)
  } catch (error) {
    if (signal.aborted) return CANCELED
    throw error
  } finally {
    release()
  }
}

const RETRY_MS = [250, 500, 1_000, 2_000, 4_000]

/**
 * Repeats a write to the object store until it succeeds: what was paid for waits here, in memory, as long as the store is
 * away and the worker lives.
 */
export function untilStored<Result>(
  deps: Pick<ActivityDependencies, 'log'>,
  signal: AbortSignal,
  write: () => Promise<Result>,
): Promise<Result> {
  return persistently(deps, signal, write, isStorageAway)
}

/**
 * Repeats what an agent's own code waits for until the servers behind it can be reached: to that code, their absence would
 * look like a failure of the work.
 */
export function untilReached<Result>(
  deps: Pick<ActivityDependencies, 'log'>,
  signal: AbortSignal,
  ask: () => Promise<Result>,
): Promise<Result> {
  return persistently(deps, signal, ask, (error) => isStorageAway(error) || isTransient(error) || isTemporalAway(error))
}

async function persistently<Result>(
  { log }: Pick<ActivityDependencies, 'log'>,
  signal: AbortSignal,
  work: () => Promise<Result>,
  isAway: (error: unknown) => boolean,
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error)) throw error
      const server = isStorageAway(error) ? 'the object store' : isTransient(error) ? 'MongoDB' : 'Temporal'
      log.warn({ reason: messageOf(error), attempt }, `${server} does not answer; trying again`)
      await sleep(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)], undefined, { signal })
    }
  }
}

function isStorageAway(error: unknown): boolean {
  return codeOf(error) === 'storage_failed'
}
