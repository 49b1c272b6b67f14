import { codeOf } from '../../core/errors.ts'

/** gRPC status codes of an unreachable, overloaded or interrupted server: canceled, unknown, deadline exceeded … */
const AWAY_STATUSES = new Set<unknown>([1, 2, 4, 8, 10, 13, 14])

/** Whether an error means that Temporal cannot be reached. Its client wraps gRPC errors, so the status is on one of the causes. */
export function isTemporalAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const status = 'details' in error ? codeOf(error) : undefined
  return AWAY_STATUSES.has(status) || isTemporalAway(error.cause)
}
