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

/** Errors of the driver that mean: the server could not be asked, or did not answer. */
const AWAY = [
  MongoNetworkError,
  // Of the system of servers none could be selected.
  MongoSystemError,
  MongoServerClosedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
  MongoNotConnectedError,
  MongoUnexpectedServerResponseError,
]

/** Two more that the driver does not export. */
const AWAY_NAMES = new Set(['MongoPoolClosedError', 'MongoWaitQueueTimeoutError'])

/** With these the driver and the server mark what can succeed when it is tried again. */
const LABELS = ['TransientTransactionError', 'UnknownTransactionCommitResult', 'RetryableWriteError', 'RetryableError']

/** Codes of a server that stops, starts, is no longer the primary, or is busy with others. */
const SERVER_CODES = new Set<unknown>(
  Object.values({
    HostUnreachable: 6,
    HostNotFound: 7,
    LockTimeout: 24,
    // A server that was started again knows nothing of the cursors that it had.
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
    // A snapshot that a server had before it was started again.
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

/** What a socket says to a command that is being written when the server dies: the driver passes it on as it is. */
const SOCKET_CODES = new Set<unknown>([
  ...['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
  ...['ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
])

/**
 * Whether an error of MongoDB or its driver is about the server's state and not about what was asked: the same call can
 * succeed later.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code === 'unavailable' || SOCKET_CODES.has(code)) return true
  if (error instanceof MongoError && (isAway(error) || SERVER_CODES.has(code))) return true
  // What ended a bulk write before the server answered is in its `errorResponse`.
  const { cause, errorResponse, errors } = error as { cause?: unknown; errorResponse?: unknown; errors?: unknown[] }
  return [cause, errorResponse, ...(errors ?? [])].some(isTransient)
}

/** Whether an error is about a server that is away, MongoDB or the object store, and not about what was asked. */
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
