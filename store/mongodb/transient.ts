import {
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoSystemError,
  MongoTopologyClosedError,
  MongoUnexpectedServerResponseError,
} from 'mongodb'
import { codeOf } from '../../core/errors.ts'

/** Errors of the driver for an unreachable or silent server. */
const AWAY = [
  MongoNetworkError,
  // No server could be selected.
  MongoSystemError,
  MongoServerClosedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
  MongoNotConnectedError,
  MongoUnexpectedServerResponseError,
]

/** Two more errors, which the driver does not export. */
const AWAY_NAMES = new Set(['MongoPoolClosedError', 'MongoWaitQueueTimeoutError'])

/** Labels with which the driver and the server mark errors that a retry can resolve. */
const LABELS = ['TransientTransactionError', 'UnknownTransactionCommitResult', 'RetryableWriteError', 'RetryableError']

/** Codes of a server that stops, starts, is no longer the primary, or is busy. */
const SERVER_CODES = new Set<unknown>(
  Object.values({
    HostUnreachable: 6,
    HostNotFound: 7,
    LockTimeout: 24,
    // A restarted server has lost its cursors.
    CursorNotFound: 43,
    WriteConcernTimeout: 64,
    NetworkTimeout: 89,
    ShutdownInProgress: 91,
    NotYetInitialized: 94,
    WriteConflict: 112,
    FailedToSatisfyReadPreference: 133,
    ReadConcernMajorityNotAvailableYet: 134,
    PrimarySteppedDown: 189,
    NetworkInterfaceExceededTimeLimit: 202,
    KeyNotFound: 211,
    TransactionTooOld: 225,
    CursorKilled: 237,
    // A restarted server has lost its snapshots.
    SnapshotTooOld: 239,
    SnapshotUnavailable: 246,
    NoSuchTransaction: 251,
    ExceededTimeLimit: 262,
    ConnectionPoolExpired: 317,
    SocketException: 9_001,
    NotWritablePrimary: 10_107,
    InterruptedAtShutdown: 11_600,
    Interrupted: 11_601,
    InterruptedDueToReplStateChange: 11_602,
    NotPrimaryNoSecondaryOk: 13_435,
    NotPrimaryOrSecondary: 13_436,
    OutOfDiskSpace: 14_031,
  }),
)

/** Socket errors if the server dies while a command is being written. The driver passes them on unchanged. */
const SOCKET_CODES = new Set<unknown>([
  ...['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
  ...['ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
])

/**
 * Whether an error of MongoDB or its driver concerns the server's state rather than the request, so that the same call
 * can succeed later.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code === 'unavailable' || SOCKET_CODES.has(code)) return true
  if (error instanceof MongoError && (isAway(error) || SERVER_CODES.has(code))) return true
  // The `errorResponse` holds the error that ended a bulk write before the server's response.
  const { cause, errorResponse, errors } = error as { cause?: unknown; errorResponse?: unknown; errors?: unknown[] }
  return [cause, errorResponse, ...(errors ?? [])].some(isTransient)
}

/** Whether an error means that MongoDB or the object store is away, independent of the request. */
export function isServerAway(error: unknown): boolean {
  return codeOf(error) === 'storage_failed' || isTransient(error)
}

function isAway(error: MongoError): boolean {
  return (
    AWAY.some((kind) => error instanceof kind) ||
    AWAY_NAMES.has(error.name) ||
    LABELS.some((label) => error.hasErrorLabel(label))
  )
}
