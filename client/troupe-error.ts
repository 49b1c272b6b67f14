/** What kind of failure a {@link TroupeError} tells of. */
export type TroupeErrorReason =
  /** The service answered with an error status. */
  | 'response'
  /** No answer came: the service is away, the network is cut, or a proxy broke the connection. */
  | 'unreachable'
  /** A time that the caller set has passed. */
  | 'timeout'
  /** A stream was refused. */
  | 'stream'

/** The one error class of the client. An abort by the caller's own signal is not one: it throws the signal's reason. */
export class TroupeError extends Error {
  override readonly name = 'TroupeError'
  readonly reason: TroupeErrorReason
  /** HTTP status; null when there was no response. */
  readonly status: number | null
  /** The service's sentence, or one of the client's own. */
  readonly detail: string
  /** `X-Request-Id` of the response, under which the service's log has more; null when there is none. */
  readonly requestId: string | null
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean
  /** Milliseconds that the service asked to wait; null when it said nothing. */
  readonly retryAfterMs: number | null

  constructor(
    reason: TroupeErrorReason,
    detail: string,
    details: { status?: number; requestId?: string | null; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(detail, { cause: details.cause })
    this.reason = reason
    this.detail = detail
    this.status = details.status ?? null
    this.requestId = details.requestId ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
    this.retryable = reason === 'unreachable' || (details.status !== undefined && RETRYABLE.has(details.status))
  }
}

/** Too many requests, and what a service or a proxy says while something behind it is away. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504])
