import { codeOf } from '../core/errors.ts'

/** Error classes of the MongoDB driver that mean: the server could not be asked, or did not answer. */
const TRANSIENT_NAMES = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoOperationTimeoutError',
])

/** Server codes of a node that stops, starts, or is no longer the primary. */
const TRANSIENT_CODES = new Set([
  6, 7, 24, 89, 91, 112, 189, 251, 262, 317, 9001, 10_107, 11_600, 11_601, 11_602, 13_435, 13_436,
])

/**
 * Whether a MongoDB error is about the server's state and not about what was asked: the same call can succeed later.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (TRANSIENT_NAMES.has(error.name)) return true
  if (typeof code === 'number' && TRANSIENT_CODES.has(code)) return true
  const { errorLabelSet: labels, errorResponse } = error as { errorLabelSet?: Set<string>; errorResponse?: unknown }
  if (['TransientTransactionError', 'RetryableWriteError'].some((label) => labels?.has(label))) return true
  // What ended a bulk write before the server answered is wrapped in an error that says nothing of it.
  return isTransient(errorResponse)
}
