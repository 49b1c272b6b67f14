import { isGrpcServiceError, type Client } from '@temporalio/client'
import pLimit from 'p-limit'

/** Makes all calls to Temporal on behalf of waiting clients. */
export interface TemporalGate {
  /**
   * Makes a call as soon as the concurrency limit permits.
   * @throws the error of the call; while Temporal is known to be unreachable, the last such error at once.
   */
  pass: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** Maximum concurrent calls. More would not be faster, and each might exceed its timeout. */
const CONCURRENT_CALLS = 32
/** Timeout of a call, without the time in the queue. */
const TIMEOUT_MS = 5_000
/** How long queued calls fail at once after a call found Temporal unreachable. */
const AWAY_MS = 1_000

const UNAVAILABLE = 14
const DEADLINE_EXCEEDED = 4

/** Limits concurrent calls to Temporal, so that thousands of requests at once are slow but do not fail. */
export function createTemporalGate(temporal: Client): TemporalGate {
  const limit = pLimit(CONCURRENT_CALLS)
  let away: { until: number; error: unknown } | undefined
  return {
    pass: (work) =>
      limit(async () => {
        if (away !== undefined && Date.now() < away.until) throw away.error
        try {
          return await temporal.withDeadline(Date.now() + TIMEOUT_MS, work)
        } catch (error) {
          if (isAway(error)) away = { until: Date.now() + AWAY_MS, error }
          throw error
        }
      }),
  }
}

function isAway(error: unknown): boolean {
  const cause = error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : error
  return isGrpcServiceError(cause) && [UNAVAILABLE, DEADLINE_EXCEEDED].includes(cause.code)
}
