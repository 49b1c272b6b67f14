import { parseJson } from '../core/exact-json.ts'
import { JsonText, type ApiPath, type MethodOf, type RequestOf, type ResponseOf } from './endpoint-types.ts'
import { parseRetryAfterMs, retryDelayMs, sleep } from './retry.ts'
import { TroupeError } from './troupe-error.ts'

/** Where the service is and how to speak to it. */
export interface TransportOptions {
  /** Base address, such as `http://127.0.0.1:8000`. */
  url: string
  /** API key; left out where the service has none. */
  key?: string | undefined
  /** Repetitions of a request after a failure that may pass (5). */
  retries?: number | undefined
  /** Milliseconds until an attempt counts as lost (120,000). */
  timeoutMs?: number | undefined
  /** Another `fetch`, such as one with a proxy. */
  fetch?: typeof globalThis.fetch | undefined
}

/** A request without its types. */
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
/** These change nothing that a repetition would change again. */
const REPEATABLE_POSTS = /\/cancel$/
/** These start work though they are GET. */
const STARTING_GETS = /\/chat$/

/** The HTTP side of the client: one request with its repetitions. */
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
    // Called without the client as `this`, which browsers refuse.
    this.#fetch = fetch ?? ((input, init) => globalThis.fetch(input, init))
  }

  /**
   * Calls an endpoint. GET (but a chat), DELETE, cancels and what carries an Idempotency-Key are repeated after network errors, 429,
   * 502, 503 and 504; nothing else is.
   * @throws TroupeError when the service refuses or cannot be reached
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

/** The path with its parameters filled in, and the query. */
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

/** The service's sentence; a proxy before it may have responded with anything. */
function detailOf({ status, statusText }: Response, text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    if (typeof detail === 'string') return detail
  } catch {
    // Not from the service.
  }
  return `The service responded with ${status} ${statusText}`.trimEnd()
}

/** What Node says of a failed fetch is in the cause; browsers say nothing but that it failed, each in words of its own. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string }
  const reason = cause?.code ?? cause?.message ?? (error instanceof TypeError ? undefined : message)
  return reason === undefined ? '' : `: ${reason}`
}
