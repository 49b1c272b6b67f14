/** The kind of failure of a {@link TroupeError}. */
export type TroupeErrorReason =
  /** The service returned an error status. */
  | 'response'
  /** No response: the service is down, the network failed, or a proxy closed the connection. */
  | 'unreachable'
  /** A timeout of the caller has expired. */
  | 'timeout'
  /** The service rejected a stream. */
  | 'stream'

/** The error class of the client. An abort by the caller's signal throws the signal's reason instead. */
export class TroupeError extends Error {
  override readonly name = 'TroupeError'
  readonly reason: TroupeErrorReason
  /** HTTP status; null when there was no response. */
  readonly status: number | null
  /** The error message of the service or the client. */
  readonly detail: string
  /** `X-Request-Id` of the response, which the service's log also contains; null when there is none. */
  readonly requestId: string | null
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  /** Milliseconds to wait according to the service; null when not specified. */
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

/** Too many requests, and statuses of a service or proxy whose upstream is unavailable. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504])
