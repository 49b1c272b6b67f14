import { TypeValidationError } from '@ai-sdk/provider'
import { isObject } from '../../core/json.ts'

/** An error that a provider wrote into a response that was to be an answer. */
export class StreamError extends Error {
  override name = 'StreamError'
  readonly code: string | undefined
  readonly type: string | undefined
  readonly status: number | undefined
  /** Of the response, where the error is all that it says. */
  readonly headers: Record<string, string>

  /** Makes an error of what a provider calls it; a `code` that is a number is an HTTP status. */
  constructor(
    message: string,
    { code, type, status }: { code?: unknown; type?: unknown; status?: unknown },
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.code = textOf(code)
    this.type = textOf(type)
    this.status = statusOf(code) ?? statusOf(status)
    this.headers = headers
  }
}

/**
 * What an adapter passes on as the error of a stream: errors as they are, a provider's object as an error, also one that the adapter
 * does not know the form of.
 */
export function streamErrorOf(error: unknown): unknown {
  const told = TypeValidationError.isInstance(error) ? errorIn(error.value) : error
  return (told instanceof Error ? undefined : toStreamError(told)) ?? error
}

/** The error that a body of JSON is about; undefined where it is about something else. */
export function bodyErrorOf(body: unknown, headers?: Record<string, string>): StreamError | undefined {
  const error = errorIn(body)
  return error === undefined ? undefined : toStreamError(error, headers)
}

/** What a provider calls an error, wherever in its object that stands: OpenAI's own is within `response` or `error`, others' within `error`. */
export function errorDetails(error: unknown): Record<string, unknown> | undefined {
  if (!isObject(error)) return undefined
  const response = isObject(error.response) ? error.response : {}
  const details = [response.error, error.error, error].find(
    (each) => isObject(each) && typeof each.message === 'string',
  )
  return details as Record<string, unknown> | undefined
}

/** A chunk or a body that has an `error` of its own; of a sentence alone the object that others make of it. */
function errorIn(value: unknown): unknown {
  if (!isObject(value) || !value.error) return undefined
  return typeof value.error === 'string' ? { error: { message: value.error } } : value
}

function toStreamError(error: unknown, headers?: Record<string, string>): StreamError | undefined {
  const details = errorDetails(error)
  if (details === undefined || !isObject(error)) return undefined
  const { message, code = error.code, type = error.type, statusCode = error.statusCode } = details
  return new StreamError(String(message), { code, type, status: statusCode ?? details.status }, headers)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function statusOf(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : undefined
}
