import { expect } from 'chai'
import { FairLimit } from '../../../activities/attempt/fair-limit.ts'
import { createInProcessRuns } from '../../../activities/attempt/in-process-runs.ts'

describe('A run that outlives the activity that began it', () => {
  const run = { job: 'job', path: '0', agent: 'agent', last: true }

  it('leaves the places of those that join it, in the wait that they find it in and in later ones', async () => {
    const limit = new FairLimit(1)
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const waiting = Promise.withResolvers<void>()
    const runs = createInProcessRuns(async (_run, { place }) => {
      await place.rest(() => first.promise)
      await place.rest(() => {
        waiting.resolve()
        return second.promise
      })
      return { status: 'completed' }
    })
    const givenUp = Promise.withResolvers<never>()
    const beginning = limit.run('range', (place) => Promise.race([runs.join(run, 'no', place).result, givenUp.promise]))
    givenUp.reject(new Error('given up'))
    expect(await beginning.catch((error: Error) => error.message)).to.equal('given up')

    const joined = limit.run('range', (place) => runs.join(run, 'maybe', place).result)
    const others: string[] = []
    await limit.run('other', () => Promise.resolve(others.push('in the first wait')))
    first.resolve()
    await waiting.promise
    await limit.run('other', () => Promise.resolve(others.push('in the second wait')))
    second.resolve()
    expect(await joined).to.deep.equal({ status: 'completed' })
    expect(others).to.deep.equal(['in the first wait', 'in the second wait'])

    // What ended has left one place, no more and no less.
    const held = Promise.withResolvers<void>()
    const begun: number[] = []
    const work = (index: number) => () => {
      begun.push(index)
      return held.promise
    }
    const both = [0, 1].map((index) => limit.run('other', work(index)))
    expect(begun).to.deep.equal([0])
    held.resolve()
    await Promise.all(both)
  })
})
