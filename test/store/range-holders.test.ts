import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { RangeHolders } from '../../store/registry/range-holders.ts'
import { ensureSchema } from '../../store/schema.ts'
import { eventually } from '../support/service.ts'
import { isolated, sharedStack } from '../support/stack.ts'

/** Longer than who waits for a range needs to see that it is free. */
const A_WHILE_MS = 1_000

describe('The holders of ranges of tasks', function () {
  this.timeout(60_000)
  const dead = new Set<string>()
  let store: Store
  let next = 0

  before(async () => {
    const env = isolated(sharedStack())
    store = connectStore({ uri: env.MONGODB_URI ?? '', database: env.MONGODB_DATABASE ?? '', appName: 'test' })
    await ensureSchema(store)
  })
  beforeEach(() => {
    dead.clear()
    waitedFor.length = 0
  })
  after(async () => {
    await store.db.dropDatabase()
    await store.close()
  })

  const waitedFor: string[] = []
  const heard = (worker: string): void => void waitedFor.push(worker)
  const { signal } = new AbortController()
  const holdersOf = (me: string): RangeHolders =>
    new RangeHolders({ store, workers: { me, isAlive: (worker) => !dead.has(worker) } })
  const range = (): string => `batch|${(next += 250)}`
  const left = (id: string): Promise<number> => store.ranges.countDocuments({ _id: id })

  it('give a range that nobody has, and forget it when it is let go', async () => {
    const id = range()
    const held = await holdersOf('a').hold(id, signal, heard)
    expect(held.mayBeBegun).to.equal(false)
    held.letGo()
    await eventually(
      () => left(id),
      (count) => count === 0,
    )
  })

  it('let one wait for another that lives', async () => {
    const id = range()
    const first = await holdersOf('a').hold(id, signal, heard)
    let isLetGo = false
    const second = holdersOf('b').hold(id, signal, heard)
    const seen = second.then(() => isLetGo)
    await sleep(A_WHILE_MS)
    isLetGo = true
    first.letGo()
    expect(await seen).to.equal(true)
    expect((await second).mayBeBegun).to.equal(true)
    expect(waitedFor).to.deep.equal(['a'])
  })

  it('give what a dead one has to one of those that wait, who are told so', async () => {
    const id = range()
    await holdersOf('a').hold(id, signal, heard)
    const waiting = ['b', 'c'].map((me) => holdersOf(me).hold(id, signal, heard))
    await sleep(A_WHILE_MS)
    dead.add('a')
    const held = await Promise.race(waiting)
    expect(held.mayBeBegun).to.equal(true)
    const both = await Promise.race([Promise.all(waiting), sleep(A_WHILE_MS)])
    expect(both, 'both have it').to.equal(undefined)
    held.letGo()
    const all = await Promise.all(waiting)
    expect(all.map(({ mayBeBegun }) => mayBeBegun)).to.deep.equal([true, true])
  })

  it('say when nobody that lives has a range of a batch', async () => {
    await holdersOf('dead').hold('c|0', signal, heard)
    dead.add('dead')
    const held = await Promise.all(['c|1', 'c|250', 'c-d|0'].map((id) => holdersOf('a').hold(id, signal, heard)))
    let isLetGo = false
    const seen = holdersOf('b')
      .untilNoneHeld('c', signal)
      .then(() => isLetGo)
    held[0]?.letGo()
    await sleep(A_WHILE_MS)
    isLetGo = true
    held[1]?.letGo()
    expect(await seen).to.equal(true)
    const other = await holdersOf('b')
      .untilNoneHeld('c-d', AbortSignal.timeout(A_WHILE_MS))
      .catch((error: unknown) => error)
    expect(other).to.have.property('name', 'AbortError')
  })

  it('share it within a worker until the last one lets go', async () => {
    const id = range()
    const own = holdersOf('a')
    const [first, second] = await Promise.all([own.hold(id, signal, heard), own.hold(id, signal, heard)])
    expect([first.mayBeBegun, second.mayBeBegun].toSorted()).to.deep.equal([false, true])
    first.letGo()
    await sleep(A_WHILE_MS)
    expect(await left(id)).to.equal(1)
    second.letGo()
    await eventually(
      () => left(id),
      (count) => count === 0,
    )
  })

  it('take it again at once while they let go of it, or when they do not know whether they have it', async () => {
    const id = range()
    const own = holdersOf('a')
    const first = await own.hold(id, signal, heard)
    first.letGo()
    const second = await own.hold(id, signal, heard)
    expect(second.mayBeBegun).to.equal(false)
    expect(await left(id)).to.equal(1)
    const lost = await holdersOf('a').hold(id, signal, heard)
    expect(lost.mayBeBegun).to.equal(true)
  })

  it('are waited for no longer when the range is canceled', async () => {
    const id = range()
    await holdersOf('a').hold(id, signal, heard)
    const canceled = await holdersOf('b')
      .hold(id, AbortSignal.timeout(A_WHILE_MS), heard)
      .catch((error: unknown) => error)
    expect(canceled).to.have.property('name', 'AbortError')
  })
})
