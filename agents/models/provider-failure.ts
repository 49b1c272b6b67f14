import { AISDKError, APICallError } from 'ai'
import { messageOf } from '../../core/errors.ts'
import { ModelError } from './model.ts'

/** Statuses below 500 that pass when one waits. */
const TEMPORARY = new Map([
  [408, 'provider_timeout'],
  [409, 'provider_unavailable'],
  [425, 'provider_unavailable'],
  [429, 'rate_limited'],
])

/**
 * What a failed call of a provider means for the run.
 * @param name - the model, for the sentence.
 * @param now - for a Retry-After that is a date.
 */
export function toModelError(error: unknown, name: string, now: Date): ModelError {
  if (APICallError.isInstance(error)) return fromResponse(error, name, now)
  const message = `${name}: ${messageOf(error)}`
  if (isMalformed(error)) {
    return new ModelError('malformed_answer', `${name} gave an answer that cannot be read: ${messageOf(error)}`, {
      retryable: true,
      cause: error,
    })
  }
  // What is left of the package's own errors says that our request is wrong: it would be wrong again.
  if (AISDKError.isInstance(error))
    return new ModelError('provider_refused', message, { retryable: false, cause: error })
  return new ModelError('provider_unavailable', message, { retryable: true, cause: error })
}

/** A request that got no answer in time. */
export function timedOut(name: string, timeoutMs: number): ModelError {
  const message = `${name} gave no answer within ${timeoutMs / 1000} seconds`
  return new ModelError('provider_timeout', message, { retryable: true })
}

// The error itself is no cause here: it carries the request's body and headers, which no log should hold.
function fromResponse(error: APICallError, name: string, now: Date): ModelError {
  const status = error.statusCode
  if (status === undefined) {
    const message = `${name} cannot be reached: ${error.message}`
    return new ModelError('provider_unavailable', message, { retryable: true })
  }
  if (status < 300) {
    return new ModelError('malformed_answer', `${name} gave an answer that cannot be read: ${error.message}`, {
      retryable: true,
    })
  }
  const message = `${name} answered ${status}: ${error.message || 'no message'}`
  const temporary = TEMPORARY.get(status) ?? (status >= 500 ? 'provider_unavailable' : undefined)
  if (temporary === undefined) return new ModelError(permanentCode(status), message, { retryable: false })
  const retryAfterMs = readRetryAfter(error.responseHeaders ?? {}, now)
  return new ModelError(temporary, message, { retryable: true, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

function permanentCode(status: number): string {
  if (status === 401 || status === 403) return 'provider_unauthorized'
  return status === 404 ? 'model_not_found' : 'provider_refused'
}

/**
 * How long the provider asks us to wait, from `retry-after-ms` or `Retry-After` (seconds or an HTTP date).
 * @returns milliseconds from `now`, never negative; undefined when it does not say.
 */
export function readRetryAfter(headers: Record<string, string>, now: Date): number | undefined {
  const inMs = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (Number.isFinite(inMs)) return Math.max(0, Math.round(inMs))
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Math.round(Number(value) * 1000)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}

const UNREADABLE = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_NoContentGeneratedError',
  'AI_NoOutputGeneratedError',
])

function isMalformed(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // A TypeError without a cause comes from reading fields that the answer lacks; fetch's own ones have a cause.
  return UNREADABLE.has(error.name) || (error.name === 'TypeError' && error.cause === undefined)
}
