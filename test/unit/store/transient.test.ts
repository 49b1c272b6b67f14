import { expect } from 'chai'
import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  type BulkWriteResult,
} from 'mongodb'
import { isTransient } from '../../../store/transient.ts'

describe('isTransient', () => {
  const bulk = (cause: Error) => new MongoBulkWriteError(cause, {} as BulkWriteResult)

  it('knows a server that is away, stops, or is no longer the primary', () => {
    const labelled = new MongoError('aborted')
    labelled.addErrorLabel('TransientTransactionError')
    expect(isTransient(new MongoNetworkError('read ECONNRESET'))).to.equal(true)
    expect(isTransient(new MongoServerSelectionError('no primary', {} as never))).to.equal(true)
    expect(isTransient(new MongoServerError({ message: 'shutting down', code: 11_600 }))).to.equal(true)
    expect(isTransient(labelled)).to.equal(true)
  })

  it('knows them inside the error of a bulk write', () => {
    expect(isTransient(bulk(new MongoNetworkError('read ECONNRESET')))).to.equal(true)
    expect(isTransient(bulk(new MongoServerError({ message: 'not primary', code: 10_107 })))).to.equal(true)
    expect(isTransient(bulk(new MongoServerError({ message: 'duplicate', code: 11_000 })))).to.equal(false)
  })

  it('leaves errors alone that would come again', () => {
    expect(isTransient(new MongoServerError({ message: 'duplicate key', code: 11_000 }))).to.equal(false)
    expect(isTransient(new Error('read ECONNRESET'))).to.equal(false)
    expect(isTransient(undefined)).to.equal(false)
  })
})
