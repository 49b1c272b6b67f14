import { ApplicationFailure } from '@temporalio/common'
import { codeOf, messageOf } from '../core/errors.ts'

/** Histories stay small: this many characters of a message suffice for an operator. */
const MAX_MESSAGE_CHARACTERS = 600

export interface FailureOptions {
  /** The delay before Temporal's next attempt; undefined follows the retry policy. */
  retryAfterMs?: number | undefined
}

/**
 * The only place that creates an ApplicationFailure; its `type` is the error's code. The stack goes to the worker's log
 * and not to the history.
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

/** The code of an error in traces and failures, in lower snake case. */
export function failureCode(error: unknown): string {
  const code = codeOf(error)
  if (code === undefined) return 'internal_error'
  return typeof code === 'number' ? `code_${code}` : code.replaceAll(/[^A-Za-z0-9]+/g, '_').toLowerCase()
}
