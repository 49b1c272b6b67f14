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

describe('A run whose code is entered before its take is recorded', () => {
  const run = { job: 'job', path: '0', agent: 'agent', last: true }
  type Asked = (taken: Promise<unknown>) => boolean
  /** A run that goes on, and what its work asks. */
  const begin = (tried: 'no' | 'maybe') => {
    const asked = Promise.withResolvers<Asked>()
    const runs = createInProcessRuns((_run, { mayEnterUnseen }) => {
      asked.resolve(mayEnterUnseen)
      return new Promise(() => undefined)
    })
    return { begun: runs.join(run, tried), asked: asked.promise }
  }
  const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
    const settled = promise.then(() => true)
    return Promise.race([settled, new Promise<false>((resolve) => setImmediate(resolve, false))])
  }

  it('is handed on when the take is recorded', async () => {
    const { begun, asked } = begin('no')
    const taken = Promise.withResolvers<void>()
    expect((await asked)(taken.promise)).to.equal(true)
    const shared = begun.share()
    expect(await isSettled(shared)).to.equal(false)
    taken.resolve()
    expect(await isSettled(shared)).to.equal(true)
  })

  it('is handed on when it cannot be taken', async () => {
    const { begun, asked } = begin('no')
    const taken = Promise.withResolvers<void>()
    ;(await asked)(taken.promise)
    const shared = begun.share()
    taken.reject(new Error('another one holds it'))
    expect(await isSettled(shared)).to.equal(true)
  })

  it('is seen when the take is recorded, also where it waits for that', async () => {
    for (const tried of ['no', 'maybe'] as const) {
      const { begun, asked } = begin(tried)
      const taken = Promise.withResolvers<void>()
      const entering = await asked
      expect(await isSettled(begun.seen)).to.equal(false)
      entering(taken.promise)
      expect(await isSettled(begun.seen)).to.equal(false)
      taken.resolve()
      expect(await isSettled(begun.seen)).to.equal(true)
    }
  })

  it('is seen when another one has taken it, and when it has ended', async () => {
    const taken = createInProcessRuns((_run, { isSeen }) => {
      isSeen()
      return new Promise(() => undefined)
    })
    const ended = createInProcessRuns(() => Promise.reject(new Error('not hosted')))
    for (const runs of [taken, ended]) expect(await isSettled(runs.join(run, 'no').seen)).to.equal(true)
  })

  it('has to be taken first once it is handed on', async () => {
    const { begun, asked } = begin('no')
    await begun.share()
    expect((await asked)(Promise.resolve())).to.equal(false)
  })

  it('has to be taken first where somebody may have begun it', async () => {
    const { begun, asked } = begin('maybe')
    expect((await asked)(Promise.resolve())).to.equal(false)
    expect(await isSettled(begun.share())).to.equal(true)
  })
})
