import { parseJson } from '../core/exact-json.ts'
import { JsonText, type ApiPath, type MethodOf, type RequestOf, type ResponseOf } from './endpoint-types.ts'
import { parseRetryAfterMs, retryDelayMs, sleep } from './retry.ts'
import { TroupeError } from './troupe-error.ts'

/** Options of the connection to the service. */
export interface TransportOptions {
  /** Base URL, such as `http://127.0.0.1:8000`. */
  url: string
  /** API key; omit it for a service without keys. */
  key?: string | undefined
  /** Number of retries after temporary failures (default 5). */
  retries?: number | undefined
  /** Timeout of an attempt in milliseconds (default 120,000). */
  timeoutMs?: number | undefined
  /** A custom `fetch`, such as one with a proxy. */
  fetch?: typeof globalThis.fetch | undefined
}

/** An untyped request. */
interface PlainRequest {
  path?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal
  idempotencyKey?: string
  timeoutMs?: number | null
  retries?: number
}

const DEFAULT_RETRIES = 5
const DEFAULT_TIMEOUT_MS = 120_000
/** Idempotent methods. */
const REPEATABLE_POSTS = /\/cancel$/
/** GET endpoints that start work. */
const STARTING_GETS = /\/chat$/

/** Sends HTTP requests with retries. */
export class Transport {
  readonly url: string
  readonly key: string | undefined
  readonly #retries: number
  readonly #timeoutMs: number
  readonly #fetch: typeof globalThis.fetch

  constructor({ url, key, retries, timeoutMs, fetch }: TransportOptions) {
    this.url = url.replace(/\/+$/, '')
    this.key = key === '' ? undefined : key
    this.#retries = retries ?? DEFAULT_RETRIES
    this.#timeoutMs = timeoutMs ?? DEFAULT_TIMEOUT_MS
    // Browsers reject a `fetch` that is called with the client as `this`.
    this.#fetch = fetch ?? ((input, init) => globalThis.fetch(input, init))
  }

  /**
   * Calls an endpoint. Retries after network errors, 429, 502, 503 and 504, but only GET (except chat), DELETE, cancels and
   * requests with an Idempotency-Key.
   * @throws TroupeError when the service returns an error or cannot be reached
   */
  async request<Path extends ApiPath, Method extends MethodOf<Path>>(
    method: Method,
    path: Path,
    request: RequestOf<Path, Method>,
  ): Promise<ResponseOf<Path, Method>> {
    const plain = request as PlainRequest
    const changesNothingTwice = method === 'post' ? REPEATABLE_POSTS.test(path) : !STARTING_GETS.test(path)
    const isRepeatable = changesNothingTwice || plain.idempotencyKey !== undefined
    const retries = isRepeatable ? (plain.retries ?? this.#retries) : 0
    for (let attempt = 0; ; attempt++) {
      try {
        return (await this.#attempt(method, path, plain)) as ResponseOf<Path, Method>
      } catch (error) {
        if (!(error instanceof TroupeError) || !error.retryable || attempt >= retries) throw error
        await sleep(retryDelayMs(attempt, error.retryAfterMs), plain.signal)
      }
    }
  }

  async #attempt(method: string, path: string, request: PlainRequest): Promise<unknown> {
    const { body, signal, idempotencyKey, timeoutMs = this.#timeoutMs } = request
    const timeout = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs)
    const signals = [signal, timeout].filter((each) => each !== undefined)
    const headers: Record<string, string> = { accept: 'application/json' }
    if (this.key !== undefined) headers['x-api-key'] = this.key
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
    const init: RequestInit = { method: method.toUpperCase(), headers, signal: AbortSignal.any(signals) }
    if (body !== undefined) init.body = body instanceof JsonText ? body.text : JSON.stringify(body)
    try {
      const response = await this.#fetch(`${this.url}${addressOf(path, request)}`, init)
      return await read(response)
    } catch (error) {
      if (error instanceof TroupeError) throw error
      if (signal?.aborted === true) throw signal.reason
      const why = timeout?.aborted === true ? `: did not respond within ${timeoutMs} ms` : reasonOf(error)
      throw new TroupeError('unreachable', `${this.url} cannot be reached${why}.`, { cause: error })
    }
  }
}

/** The path with its parameters and the query. */
function addressOf(path: string, { path: parameters = {}, query = {} }: PlainRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return text === '' ? filled : `${filled}?${text}`
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  if (response.ok) return isJson ? parseJson(text) : text
  throw new TroupeError('response', detailOf(response, text), {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: parseRetryAfterMs(response.headers.get('retry-after')),
  })
}

/** The error message of the service. The response may also come from a proxy and have any content. */
function detailOf({ status, statusText }: Response, text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    if (typeof detail === 'string') return detail
  } catch {
    // Not JSON, so not from the service.
  }
  return `The service responded with ${status} ${statusText}`.trimEnd()
}

/** The reason of a failed fetch. Node provides it as the cause; messages of browsers contain no reason. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string }
  const reason = cause?.code ?? cause?.message ?? (error instanceof TypeError ? undefined : message)
  return reason === undefined ? '' : `: ${reason}`
}
