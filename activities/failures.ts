import { ApplicationFailure } from '@temporalio/common'
import { codeOf, messageOf } from '../core/errors.ts'

/** History stays small: what an operator needs of a message fits in this many characters. */
const MAX_MESSAGE_CHARACTERS = 600

export interface FailureOptions {
  /** How long Temporal waits before the next attempt; undefined follows the retry policy. */
  retryAfterMs?: number | undefined
}

/**
 * The one place that makes an ApplicationFailure: its `type` is the error's code. The stack stays in the worker's log,
 * it has no place in a history.
 */
export function toFailure(error: unknown, { retryAfterMs }: FailureOptions = {}): ApplicationFailure {
  const failure = ApplicationFailure.create({
    type: failureCode(error),
    message: messageOf(error).slice(0, MAX_MESSAGE_CHARACTERS),
    nextRetryDelay: retryAfterMs,
  })
  failure.stack = ''
  return failure
}

/** The code of an error as traces and failures carry it, in lower snake case. */
export function failureCode(error: unknown): string {
  const code = codeOf(error)
  if (code === undefined) return 'internal_error'
  return typeof code === 'number' ? `code_${code}` : code.replaceAll(/[^A-Za-z0-9]+/g, '_').toLowerCase()
}
