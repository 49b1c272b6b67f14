import { expect } from 'chai'
import type { Worker } from '@temporalio/worker'
import { runTogether } from '../../../worker/workers.ts'

describe('Workers that run together', () => {
  const worker = (state: ReturnType<Worker['getState']>, end: Promise<void>) => ({
    getState: () => state,
    run: () => end,
  })
  const never = new Promise<void>(() => {})
  const failureOf = (workers: ReturnType<typeof worker>[]) =>
    runTogether(workers).then(
      () => undefined,
      (error: Error) => error.message,
    )

  it('end when all have ended', async () => {
    expect(await failureOf([worker('STOPPED', Promise.resolve()), worker('STOPPED', Promise.resolve())])).to.equal(
      undefined,
    )
  })

  it('fail with the first that fails', async () => {
    expect(await failureOf([worker('RUNNING', never), worker('RUNNING', Promise.reject(new Error('why')))])).to.equal(
      'why',
    )
  })

  it('fail with a worker that failed without an error', async () => {
    expect(await failureOf([worker('RUNNING', never), worker('FAILED', never)])).to.equal('A Temporal worker failed.')
  })
})
