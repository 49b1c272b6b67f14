import { expect } from 'chai'
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoUnexpectedServerResponseError,
  type BulkWriteResult,
} from 'mongodb'
import { TroupeError } from '../../../core/errors.ts'
import { isTransient } from '../../../store/mongodb/transient.ts'

describe('isTransient', () => {
  const bulk = (cause: Error) => new MongoBulkWriteError(cause, {} as BulkWriteResult)
  const server = (code: number) => new MongoServerError({ message: `code ${code}`, code })
  const socket = (code: string) => Object.assign(new Error(`write ${code}`), { code })
  const labelled = (label: string) => {
    const error = new MongoError('aborted')
    error.addErrorLabel(label)
    return error
  }

  it('recognizes an unreachable server by the class of the error', () => {
    /** As the driver's own errors of a pool: derived from an exported class, under a name of their own. */
    class PoolClearedOnNetworkError extends MongoNetworkError {
      override get name() {
        return 'PoolClearedOnNetworkError'
      }
    }
    for (const error of [
      new MongoNetworkError('read ECONNRESET'),
      new PoolClearedOnNetworkError('interrupted'),
      new MongoServerSelectionError('no primary', {} as never),
      new MongoServerClosedError(),
      new MongoClientClosedError(),
      new MongoUnexpectedServerResponseError('no response'),
    ]) {
      expect(isTransient(error), error.name).to.equal(true)
    }
  })

  it('recognizes a server that stops, starts, or is no longer primary by the error code', () => {
    for (const code of [43, 91, 94, 133, 189, 211, 239, 251, 10_107, 11_600, 11_602, 13_435, 13_436]) {
      expect(isTransient(server(code)), String(code)).to.equal(true)
    }
  })

  it('recognizes errors that the driver or the server labels as retryable', () => {
    for (const label of ['TransientTransactionError', 'UnknownTransactionCommitResult', 'RetryableWriteError']) {
      expect(isTransient(labelled(label)), label).to.equal(true)
    }
    expect(isTransient(new TroupeError('unavailable', 'Try again.'))).to.equal(true)
  })

  it('recognizes socket errors that the driver passes on', () => {
    for (const code of ['EPIPE', 'ECONNRESET', 'ETIMEDOUT', 'ERR_STREAM_DESTROYED']) {
      expect(isTransient(socket(code)), code).to.equal(true)
    }
  })

  it('recognizes all of them as causes of other errors', () => {
    for (const cause of [new MongoNetworkError('read ECONNRESET'), server(10_107), socket('EPIPE')]) {
      expect(isTransient(bulk(cause)), cause.message).to.equal(true)
      expect(isTransient(new Error('wrapped', { cause })), cause.message).to.equal(true)
      expect(isTransient(new AggregateError([new Error('other'), cause])), cause.message).to.equal(true)
    }
  })

  it('ignores permanent errors', () => {
    for (const error of [
      server(11_000),
      bulk(server(11_000)),
      new MongoInvalidArgumentError('no such option'),
      // A number is MongoDB's code only where MongoDB says it: this is how gRPC says "permission denied".
      Object.assign(new Error('PERMISSION_DENIED'), { code: 7, details: '' }),
      new TroupeError('not_found', 'Unknown.'),
      new Error('read ECONNRESET'),
      undefined,
    ]) {
      expect(isTransient(error), String(error)).to.equal(false)
    }
  })
})
