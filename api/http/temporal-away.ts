import { codeOf } from '../../core/errors.ts'

/** gRPC's codes of a server that is not there, is overwhelmed, or broke off: canceled, unknown, deadline exceeded … */
const AWAY_STATUSES = new Set<unknown>([1, 2, 4, 8, 10, 13, 14])

/** Whether Temporal could not be reached. Its client wraps what gRPC said: the status is on one of the causes. */
export function isTemporalAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const status = 'details' in error ? codeOf(error) : undefined
  return AWAY_STATUSES.has(status) || isTemporalAway(error.cause)
}
