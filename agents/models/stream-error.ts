import { TypeValidationError } from '@ai-sdk/provider'
import { isObject } from '../../core/json.ts'

/** An error that a provider wrote into the body of an apparently successful response. */
export class StreamError extends Error {
  override name = 'StreamError'
  readonly code: string | undefined
  readonly type: string | undefined
  readonly status: number | undefined
  /** Headers of the response, if its body is only the error. */
  readonly headers: Record<string, string>

  /** Creates an error from the provider's fields. A numeric `code` is an HTTP status. */
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
 * Converts an adapter's stream error: errors stay unchanged, and a provider's object becomes an error, even if the
 * adapter does not know the object's form.
 */
export function streamErrorOf(error: unknown): unknown {
  const told = TypeValidationError.isInstance(error) ? errorIn(error.value) : error
  return (told instanceof Error ? undefined : toStreamError(told)) ?? error
}

/** Returns the error in a JSON body; undefined if the body contains none. */
export function bodyErrorOf(body: unknown, headers?: Record<string, string>): StreamError | undefined {
  const error = errorIn(body)
  return error === undefined ? undefined : toStreamError(error, headers)
}

/**
 * Finds the error details in a provider's object. OpenAI nests them in `response` or `error`, other providers in
 * `error`.
 */
export function errorDetails(error: unknown): Record<string, unknown> | undefined {
  if (!isObject(error)) return undefined
  const response = isObject(error.response) ? error.response : {}
  const details = [response.error, error.error, error].find(
    (each) => isObject(each) && typeof each.message === 'string',
  )
  return details as Record<string, unknown> | undefined
}

/** Returns a chunk or body that has an `error`. An error that is only a text is converted to the usual object. */
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
