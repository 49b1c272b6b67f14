import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { FairLimit, type Place } from '../../../activities/attempt/fair-limit.ts'

describe('A fair limit', () => {
  /** Work that ends when it is told to. */
  function bench(limit: FairLimit) {
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const begin = (key: string, name: string) =>
      limit.run(key, () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      })
    const end = async (name: string): Promise<void> => {
      ends.get(name)?.()
      await new Promise(setImmediate)
    }
    return { begun, begin, end }
  }

  it('begins no more than it may, and the next ones as others end', async () => {
    const { begun, begin, end } = bench(new FairLimit(2))
    const all = ['a', 'b', 'c', 'd'].map((name) => begin('one', name))
    expect(begun).to.deep.equal(['a', 'b'])
    await end('a')
    expect(begun).to.deep.equal(['a', 'b', 'c'])
    for (const name of ['b', 'c', 'd']) await end(name)
    await Promise.all(all)
    const last = begin('one', 'e')
    expect(begun.at(-1)).to.equal('e')
    await end('e')
    await last
  })

  it('lets a short queue take its turn beside a long one', async () => {
    const { begun, begin, end } = bench(new FairLimit(1))
    const names = Array.from({ length: 100 }, (_, index) => `long ${index}`)
    const all = names.map((name) => begin('long', name))
    all.push(begin('short', 'short 0'), begin('short', 'short 1'))
    for (let ended = 0; ended < all.length; ended += 1) await end(begun.at(-1) ?? '')
    await Promise.all(all)
    expect(begun.indexOf('short 0')).to.equal(2)
    expect(begun.indexOf('short 1')).to.equal(4)
    expect(begun).to.have.length(102)
  })

  it('gives the place of what waits for long to others, and takes no more of a key of which much rests', async () => {
    const limit = new FairLimit(2, 2)
    const begun: string[] = []
    const waits = Promise.withResolvers<void>()
    const wait = (place: Place): Promise<void> => place.rest(() => waits.promise)
    const all = ['a', 'b', 'c', 'd'].map((name) =>
      limit.run('waiting', async (place) => {
        begun.push(name)
        await Promise.all([wait(place), wait(place)])
        begun.push(`${name} again`)
      }),
    )
    const other = limit.run('other', () => Promise.resolve(begun.push('other')))
    expect(begun).to.deep.equal(['a', 'b'])
    await other
    expect(begun).to.deep.equal(['a', 'b', 'c', 'other'])
    await limit.run('other', () => Promise.resolve(begun.push('another')))
    waits.resolve()
    await Promise.all(all)
    expect(begun.indexOf('d')).to.be.above(begun.indexOf('another'))
    expect(begun).to.have.length(10)
  })

  it('does not count what ended while it waited', async () => {
    const limit = new FairLimit(1)
    const never = new Promise<void>(() => undefined)
    const givenUp = limit.run('one', (place) => Promise.race([place.rest(() => never), Promise.resolve()]))
    await givenUp
    await sleep(1_200)
    const begun: number[] = []
    const work = (index: number) => async () => {
      begun.push(index)
      await sleep(10)
    }
    const both = [0, 1].map((index) => limit.run('one', work(index)))
    expect(begun).to.deep.equal([0])
    await Promise.all(both)
  })

  it('lets go of what is stopped while it waits, at once, and goes on with what waits behind it', async () => {
    const limit = new FairLimit(1)
    const held = Promise.withResolvers<void>()
    const holder = limit.run('holder', () => held.promise)
    const canceled = new AbortController()
    const begun: string[] = []
    const wait = (name: string, signal?: AbortSignal) =>
      limit.run('one', () => Promise.resolve(begun.push(name)), signal)
    const stopped = [1, 2, 3].map((index) => wait(`stopped ${index}`, canceled.signal))
    const other = wait('other')
    const reason = new Error('canceled')
    canceled.abort(reason)
    const ended = await Promise.allSettled([...stopped, wait('too late', canceled.signal)])
    expect(ended).to.deep.equal(Array(4).fill({ status: 'rejected', reason }))
    held.resolve()
    await Promise.all([holder, other])
    expect(begun).to.deep.equal(['other'])
  })

  it('frees the place of what failed', async () => {
    const limit = new FairLimit(1)
    const failed = limit.run('one', () => Promise.reject(new Error('no')))
    const next = limit.run('one', () => Promise.resolve('yes'))
    expect(await failed.catch((error: Error) => error.message)).to.equal('no')
    expect(await next).to.equal('yes')
  })
})
