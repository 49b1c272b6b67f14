import { isObject } from '../../core/json.ts'

/** An error that a provider wrote into an answer that had begun. */
export class StreamError extends Error {
  override name = 'StreamError'
  readonly code: string | undefined
  readonly type: string | undefined
  readonly status: number | undefined

  /** Makes an error of what a provider calls it; a `code` that is a number is an HTTP status. */
  constructor(message: string, { code, type, status }: { code?: unknown; type?: unknown; status?: unknown }) {
    super(message)
    this.code = textOf(code)
    this.type = textOf(type)
    this.status = statusOf(code) ?? statusOf(status)
  }
}

/**
 * What an adapter passes on as the error of a stream: errors as they are, a provider's object as an error. OpenAI's own is
 * within `response` or `error`, Anthropic's and Google's within `error`.
 */
export function streamErrorOf(error: unknown): unknown {
  if (error instanceof Error || !isObject(error)) return error
  const response = isObject(error.response) ? error.response : {}
  const details = [response.error, error.error, error].find(
    (each) => isObject(each) && typeof each.message === 'string',
  )
  if (!isObject(details)) return error
  const { message, code = error.code, type = error.type, statusCode = error.statusCode } = details
  return new StreamError(String(message), { code, type, status: statusCode ?? details.status })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function statusOf(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : undefined
}
