import { AISDKError, APICallError } from '@ai-sdk/provider'
import { codeOf, messageOf } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import { ModelError, type ModelErrorKind, type ModelUsage } from './model.ts'
import { readRateLimits } from './rate-limits.ts'
import { readRetryAfter } from './retry-after.ts'
import { errorDetails, StreamError } from './stream-error.ts'

type Meaning = readonly [code: string, kind: ModelErrorKind]

const MALFORMED: Meaning = ['malformed_answer', 'malformed']
const UNAVAILABLE: Meaning = ['provider_unavailable', 'pushback']
/** An error with only a message. It may be temporary or permanent. */
const UNEXPLAINED: Meaning = ['provider_error', 'pushback']
const UNAUTHORIZED: Meaning = ['provider_unauthorized', 'refused']
const NOT_FOUND: Meaning = ['model_not_found', 'refused']
const QUOTA_EXHAUSTED: Meaning = ['quota_exhausted', 'refused']
const REFUSED: Meaning = ['provider_refused', 'refused']
const OVERFLOW: Meaning = ['context_overflow', 'refused']

const BY_STATUS = new Map<number, Meaning>([
  [401, UNAUTHORIZED],
  [402, QUOTA_EXHAUSTED],
  [403, UNAUTHORIZED],
  [404, NOT_FOUND],
  [408, ['provider_timeout', 'pushback']],
  [409, UNAVAILABLE],
  [425, UNAVAILABLE],
  [429, ['rate_limited', 'pushback']],
])

/** Providers' names of errors. They are used if they say more than the status, or if there is no status. */
const BY_NAME = new Map<string, Meaning>([
  ['insufficient_quota', QUOTA_EXHAUSTED],
  ['context_length_exceeded', OVERFLOW],
  // Groq: the model wrote a call that cannot be parsed.
  ['tool_use_failed', MALFORMED],
  ['invalid_request_error', REFUSED],
  ['invalid_prompt', REFUSED],
  ['authentication_error', UNAUTHORIZED],
  ['invalid_api_key', UNAUTHORIZED],
  ['model_not_found', NOT_FOUND],
  ['rate_limit_exceeded', ['rate_limited', 'pushback']],
  ['rate_limit_error', ['rate_limited', 'pushback']],
])

/**
 * Errors that only their message identifies. A 429 can also mean that the request alone exceeds the limit per minute.
 */
const BY_SENTENCE: [RegExp, Meaning][] = [
  [/prompt is too long|input token count.*exceeds|maximum context length|request too large/i, OVERFLOW],
  [/credit balance is too low/i, QUOTA_EXHAUSTED],
  [/api key not valid/i, UNAUTHORIZED],
]
/** Statuses of errors that may be identified by their message. */
const ABOUT_REQUEST = new Set([400, 413, 422, 429])

/** Names of temporary errors from providers and servers: `overloaded_error`, `server_error`, `InternalServerError`. */
const PASSING = /overload|unavailable|time_?d?_?out|server_?error|internal|api_error|capacity|busy/i

/** Names that take precedence over the status. */
const EXACT = new Set(['insufficient_quota', 'context_length_exceeded', 'tool_use_failed'])

/** Errors of the adapters for an unreadable response. */
const UNREADABLE = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_NoContentGeneratedError',
])

/** Codes of connections that were never established, so that no provider has done any work. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Codes of responses that stay unreadable on every retry. */
const TOO_LARGE = new Set(['UND_ERR_HEADERS_OVERFLOW'])

/** A failed call and its details. */
export interface FailedCall {
  error: unknown
  /** Name of the model, for the error message. */
  name: string
  now: Date
  /** Usage of the call until the failure, as far as the response reported it. */
  usage: ModelUsage
  partialText: string
  /** Whether any part of a response has arrived. */
  begun: boolean
}

/**
 * Converts a provider's error to a ModelError. The original error is not its cause, because it contains the request's
 * body and headers, which must not appear in logs.
 */
export function toModelError({ error, name, now, usage, partialText, begun }: FailedCall): ModelError {
  const response = APICallError.isInstance(error) ? error : undefined
  const status = errorStatusOf(error)
  const [code, kind] = meaningOf(error, status)
  const headers = headersOf(error)
  // Providers do not bill error responses, nor requests that did not reach them.
  const free = !begun && (status !== undefined || error instanceof StreamError || hasCode(error, NEVER_CONNECTED))
  return new ModelError(code, sentenceOf(error, name, code, status), {
    kind,
    status,
    retryAfterMs: kind === 'pushback' ? readRetryAfter(headers, now, bodyOf(response)) : undefined,
    limits: readRateLimits(headers, now),
    usage: free ? undefined : usage,
    partialText: begun ? partialText : undefined,
  })
}

function meaningOf(error: unknown, status: number | undefined): Meaning {
  const names = namesOf(error)
  const exact = names.find((each) => EXACT.has(each))
  const named = BY_NAME.get(exact ?? names.find((each) => BY_NAME.has(each)) ?? '')
  if (exact !== undefined && named !== undefined) return named
  if (status !== undefined) {
    const said = ABOUT_REQUEST.has(status) ? bySentence(error) : undefined
    return said ?? BY_STATUS.get(status) ?? (status >= 500 ? UNAVAILABLE : REFUSED)
  }
  if (error instanceof StreamError) return named ?? (passes(error, names) ? UNAVAILABLE : UNEXPLAINED)
  // Without a response, the provider was not reached. With a response, a retryable error is a broken connection, and
  // any other error is an invalid body.
  if (hasCode(error, TOO_LARGE)) return MALFORMED
  if (APICallError.isInstance(error))
    return error.statusCode === undefined || error.isRetryable ? UNAVAILABLE : MALFORMED
  if (isUnreadable(error)) return MALFORMED
  // All other errors of the adapters mean that our request is invalid. A retry would fail again.
  return AISDKError.isInstance(error) ? REFUSED : UNAVAILABLE
}

/** Whether a provider marks its error as temporary, by the name or by a time to retry. */
function passes(error: StreamError, names: string[]): boolean {
  return names.some((name) => PASSING.test(name)) || readRetryAfter(error.headers, new Date()) !== undefined
}

function bySentence(error: unknown): Meaning | undefined {
  // Only the start, because a message can be long and a pattern may scan the rest after each match of its first half.
  const sentence = messageOf(error).slice(0, 2_000)
  return BY_SENTENCE.find(([pattern]) => pattern.test(sentence))?.[1]
}

function headersOf(error: unknown): Record<string, string> {
  if (error instanceof StreamError) return error.headers
  return (APICallError.isInstance(error) ? error.responseHeaders : undefined) ?? {}
}

function errorStatusOf(error: unknown): number | undefined {
  if (error instanceof StreamError) return error.status
  const status = APICallError.isInstance(error) ? error.statusCode : undefined
  return status !== undefined && status >= 300 ? status : undefined
}

/** Returns the `code` and the `type` of a provider's error, from the stream or from the body. */
function namesOf(error: unknown): string[] {
  if (error instanceof StreamError) return [error.code, error.type].filter((name) => name !== undefined)
  const body = bodyOf(APICallError.isInstance(error) ? error : undefined)
  const { code, type } = errorDetails(body) ?? (isObject(body) && isObject(body.error) ? body.error : {})
  return [code, type].filter((name) => typeof name === 'string')
}

function bodyOf(error: APICallError | undefined): unknown {
  if (error?.responseBody === undefined) return undefined
  try {
    return JSON.parse(error.responseBody) as unknown
  } catch {
    return undefined
  }
}

function sentenceOf(error: unknown, name: string, code: string, status: number | undefined): string {
  const message = messageOf(error) || 'no message'
  if (code === MALFORMED[0]) return `${name} gave an answer that cannot be read: ${message}`
  if (status !== undefined) return `${name} answered ${status}: ${message}`
  if (!APICallError.isInstance(error)) return `${name}: ${message}`
  return error.statusCode === undefined
    ? `${name} cannot be reached: ${message}`
    : `the connection to ${name} broke: ${messageOf(error.cause ?? error)}`
}

/** Errors of an adapter that fails on a response. A RangeError means too deep nesting or a too long string. */
const STUMBLES = new Set(['TypeError', 'RangeError'])

function isUnreadable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // An adapter that fails on a response throws one of these or a plain Error. Connection errors have a cause or a code.
  const isPlain =
    error.cause === undefined && (STUMBLES.has(error.name) || (error.name === 'Error' && codeOf(error) === undefined))
  return isPlain || UNREADABLE.has(error.name)
}

/** Whether an error, or one of its causes, has one of these codes. */
function hasCode(error: unknown, codes: Set<string>): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (codes.has(String(codeOf(cause)))) return true
  }
  return false
}
