import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  TemporalFailure,
  TimeoutFailure,
} from '@temporalio/workflow'

/** Rethrows anything but a failed activity: a cancel, and a defect in this code, which fails the workflow task. */
export function rethrowUnlessFailed(error: unknown): void {
  if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error
}

/** Whether no worker of the pool took the activity in time. */
export function wasNotTaken(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START'
}

/** A failure from outside the activities' own code, which they could not record themselves. */
export interface OutsideFailure {
  code: string
  /** A sentence. */
  message: string
}

/** Converts the error of a failed activity. */
export function describeFailure(error: unknown): OutsideFailure {
  const cause = error instanceof ActivityFailure ? (error.cause ?? error) : error
  const code = cause instanceof ApplicationFailure ? (cause.type ?? 'activity_failed') : 'activity_failed'
  return { code, message: cause instanceof Error ? cause.message : String(cause) }
}
