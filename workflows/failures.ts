import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  TemporalFailure,
  TimeoutFailure,
} from '@temporalio/workflow'

/** A cancel is no failure of an activity, and neither is an error of this code: that one fails the workflow task. */
export function rethrowUnlessFailed(error: unknown): void {
  if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error
}

/** Whether no worker of the pool took an activity in time. */
export function wasNotTaken(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START'
}

/** A failure that activities could not record themselves: it came from outside their own code. */
export interface OutsideFailure {
  code: string
  /** A sentence. */
  message: string
}

/** Such a failure, of the error that it came as. */
export function describeFailure(error: unknown): OutsideFailure {
  const cause = error instanceof ActivityFailure ? (error.cause ?? error) : error
  const code = cause instanceof ApplicationFailure ? (cause.type ?? 'activity_failed') : 'activity_failed'
  return { code, message: cause instanceof Error ? cause.message : String(cause) }
}
