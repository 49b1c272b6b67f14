import { isGrpcServiceError, type Client } from '@temporalio/client'
import pLimit from 'p-limit'

/** The way of every call to Temporal that a client waits for. */
export interface TemporalGate {
  /**
   * Makes a call when its turn has come.
   * @throws what the call throws; the last failure at once, while Temporal is known to be away.
   */
  pass: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** Calls under way. More at once make no server faster, and each would wait so long that it seems away. */
const CONCURRENT_CALLS = 32
/** A client is told after this time that Temporal does not answer; waiting for a turn does not count. */
const TIMEOUT_MS = 5_000
/** After a call that found Temporal away, those that wait for their turn are told the same instead of trying it too. */
const AWAY_MS = 1_000

const UNAVAILABLE = 14
const DEADLINE_EXCEEDED = 4

/** Lets calls to Temporal through, some at a time, so that thousands of requests at once are slow and not refused. */
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
