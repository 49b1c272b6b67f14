import { expect } from 'chai'
import {
  takeShare,
  total,
  unusedAccount,
  type AccountLimits,
  type AccountState,
  type ByClass,
  type Demand,
  type PushBack,
  type Share,
} from '../../../core/provider-account.ts'
import { WaitingLine, type Turn } from '../../../activities/limits/waiting-line.ts'

const NONE: ByClass = { chat: 0, prompt: 0, task: 0 }
const START = 1_000_000

function demand(worker: string, wishes: Partial<Demand> = {}): Demand {
  const asking = wishes.asking ?? wishes.waiting ?? NONE
  const waiting = total(wishes.waiting ?? NONE)
  const keys = waiting === 0 ? [] : [{ key: '', weight: 1, waiting }]
  const nothing = { inUse: 0, waiting: NONE, keys, tokensEach: 0, tokensMore: 0, learned: {}, pushback: undefined }
  return { worker, ...nothing, served: { count: 0, begunAt: 0 }, ...wishes, asking }
}

function pushback(begunAt: number, more: Partial<PushBack> = {}): PushBack {
  return { count: 1, code: 'rate_limited', isLimit: true, begunAt, until: undefined, ...more }
}

/** An account and its workers' turns, one after the other. */
class Scene {
  state: AccountState = unusedAccount()
  now = START
  readonly #limits: AccountLimits | undefined

  constructor(limits?: AccountLimits) {
    this.#limits = limits
  }

  turn(worker: string, wishes: Partial<Demand> = {}): Share {
    const { state, share } = takeShare(this.state, demand(worker, wishes), this.#limits, this.now)
    this.state = state
    return share
  }
}

const tasks = (count: number): ByClass => ({ ...NONE, task: count })

describe('The share of an account', () => {
  it('is without limits where none are configured, and nothing is written', () => {
    const scene = new Scene()
    expect(scene.turn('a', { inUse: 3, waiting: tasks(4) })).to.deep.include({
      slots: undefined,
      permits: undefined,
      isProbe: false,
    })
    expect(scene.state).to.deep.equal(unusedAccount())
  })

  it('in requests a minute keeps to the pace, however many workers take turns', () => {
    const scene = new Scene({ rpm: 600 })
    const slots: number[] = []
    for (let step = 0; step < 400; step += 1) {
      scene.now = START + step * 60
      slots.push(...(scene.turn(`worker ${step % 4}`, { waiting: tasks(40) }).slots ?? []))
    }
    slots.sort((one, other) => one - other)
    // Ten a second for 24 seconds, and what is ahead.
    expect(slots.length).to.be.within(238, 250)
    for (const [index, at] of slots.entries()) {
      const before = slots[index - 10]
      // What is made up for at the beginning is a quarter of a second's worth.
      if (before !== undefined) expect(at - before).to.be.at.least(index < 13 ? 740 : 999)
    }
  })

  for (const [what, weight, part] of [
    ['as much as another', 1, 0.5],
    ['three times as much as another by its weight', 3, 0.75],
  ] as const) {
    it(`gives a key ${what}, however many calls wait in however many workers`, () => {
      const scene = new Scene({ rpm: 600 })
      const begun = { many: 0, few: 0 }
      const workers = [0, 1, 2, 3].map((id) => ({
        id,
        line: new WaitingLine<Turn>(),
        dueAt: START + id * 61,
        slots: 0,
      }))
      const fill = ({ id, line }: (typeof workers)[0]): void => {
        const add = (key: string, weight: number) => line.add({ class: 'task', key, weight })
        for (let index = 0; index < 300; index += 1) add('many', 1)
        if (id === 2) for (let index = 0; index < 500; index += 1) add('few', weight)
      }
      for (const worker of workers) fill(worker)
      for (; scene.now < START + 60_000; scene.now += 10) {
        for (const worker of workers) {
          if (worker.dueAt > scene.now) continue
          worker.dueAt += 250
          const { line } = worker
          const share = scene.turn(`worker ${worker.id}`, { waiting: line.sizes, keys: line.keys })
          line.shareBy(share.parts)
          for (const _ of share.slots ?? []) begun[line.take()?.key as keyof typeof begun] += 1
        }
      }
      expect(begun.few + begun.many).to.be.within(595, 610)
      expect(begun.few / (begun.few + begun.many), JSON.stringify(begun)).to.be.within(part - 0.05, part + 0.05)
    })
  }

  it('leaves the nearest moments to chats', () => {
    const scene = new Scene({ rpm: 600 })
    const many = scene.turn('a', { waiting: tasks(500) }).slots ?? []
    expect(Math.max(...many)).to.be.at.most(START + 500)
    const [chat] = scene.turn('b', { waiting: { chat: 1, prompt: 0, task: 500 } }).slots ?? []
    expect(chat).to.be.at.most(START + 600)
  })

  it('in tokens a minute counts what calls are expected to use, and what they used beyond that', () => {
    const scene = new Scene({ tpm: 60_000 })
    expect(scene.turn('a', { waiting: tasks(10), tokensEach: 250 }).slots).to.have.length(4)
    scene.now += 1_000
    expect(scene.turn('a', { waiting: tasks(10), tokensEach: 250, tokensMore: 1_000 }).slots).to.have.length(0)
    scene.now += 1_000
    expect(scene.turn('a', { waiting: tasks(10), tokensEach: 250 }).slots).to.have.length.above(2)
  })

  it('goes on after a minute, whatever a provider says that calls have used', () => {
    const scene = new Scene({ tpm: 60_000 })
    scene.turn('a', { waiting: tasks(1), tokensMore: 1_000_000_000 })
    scene.now += 61_000
    expect(scene.turn('a', { waiting: tasks(10), tokensEach: 250 }).slots).to.have.length.above(2)
  })

  it('lets a call begin that needs more than a minute has', () => {
    const scene = new Scene({ tpm: 1_000 })
    expect(scene.turn('a', { waiting: tasks(2), tokensEach: 5_000 }).slots).to.have.length(1)
  })

  it('learns lower limits, and never goes above what is configured', () => {
    const low = new Scene({ rpm: 600 })
    const high = new Scene({ rpm: 600 })
    const free = new Scene({})
    const count = (scene: Scene, rpm: number) =>
      (scene.turn('a', { waiting: tasks(100), learned: { rpm } }).slots ?? []).length
    expect(count(low, 120)).to.be.below(count(high, 6_000))
    expect(count(high, 6_000)).to.be.at.most(8)
    expect(count(free, 120)).to.be.within(1, 3)
  })

  it('in calls at a time is never more than the limit for all workers', () => {
    const scene = new Scene({ concurrent: 7 })
    const inUse = new Map<string, number>()
    let random = 42
    const next = (below: number) => {
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((random / 2 ** 32) * below)
    }
    for (let step = 0; step < 2_000; step += 1) {
      scene.now += 50
      const worker = `worker ${next(4)}`
      const ended = next(3)
      const running = Math.max(0, (inUse.get(worker) ?? 0) - ended)
      const waiting = next(10)
      const { permits = 0 } = scene.turn(worker, { inUse: running, waiting: tasks(waiting) })
      inUse.set(worker, Math.min(permits, running + waiting))
      const all = [...inUse.values()].reduce((sum, each) => sum + each, 0)
      expect(all).to.be.at.most(7)
    }
  })

  it('in calls at a time goes round where workers are more than calls', () => {
    const scene = new Scene({ concurrent: 1 })
    const served = new Map<string, number>()
    let holder: string | undefined
    for (let step = 0; step < 200; step += 1) {
      scene.now += 100
      const worker = `worker ${step % 3}`
      // A call takes one round of turns.
      const isHolder = holder === worker
      const { permits = 0 } = scene.turn(worker, { inUse: 0, waiting: tasks(5) })
      if (isHolder) holder = undefined
      if (permits > 0) holder = worker
      if (permits > 0) served.set(worker, (served.get(worker) ?? 0) + 1)
    }
    expect([...served.values()].every((count) => count > 12)).to.equal(true, JSON.stringify([...served]))
  })

  it('of a worker that died is free again after ten seconds', () => {
    const scene = new Scene({ concurrent: 4 })
    expect(scene.turn('dead', { inUse: 0, waiting: tasks(9) }).permits).to.equal(4)
    expect(scene.turn('other', { waiting: tasks(9) }).permits).to.equal(0)
    scene.now += 10_001
    expect(scene.turn('other', { waiting: tasks(9) }).permits).to.equal(4)
  })
})

describe('A cool-down of an account', () => {
  it('holds for all from the first refusal, until one has found out that it is over', () => {
    const scene = new Scene()
    scene.turn('a', { inUse: 1, pushback: pushback(START, { until: START + 5_000 }) })
    expect(scene.state.cooldown).to.include({ until: START + 5_000, code: 'rate_limited' })
    scene.now += 4_000
    expect(scene.turn('b', { waiting: tasks(1) }).isProbe).to.equal(false)
    scene.now += 1_001
    expect(scene.turn('b', { waiting: tasks(3) }).isProbe).to.equal(true)
    expect(scene.turn('a', { waiting: tasks(3) }).isProbe).to.equal(false)
    expect(scene.turn('b', { waiting: tasks(2), inUse: 1 }).isProbe).to.equal(false)
    scene.turn('b', { served: { count: 1, begunAt: scene.now } })
    expect(scene.state.cooldown).to.equal(null)
  })

  it('is not ended by calls that were under way, nor made longer by them', () => {
    const scene = new Scene()
    scene.turn('a', { pushback: pushback(START, { until: START + 1_000 }) })
    scene.now += 500
    scene.turn('b', { served: { count: 1, begunAt: START - 3_000 }, pushback: pushback(START - 2_000) })
    expect(scene.state.cooldown).to.include({ until: START + 1_000, opened: START })
  })

  it('gives the probe to another worker when the one that had it is silent', () => {
    const scene = new Scene()
    scene.turn('a', { pushback: pushback(START, { until: START + 1_000 }) })
    scene.now += 1_001
    expect(scene.turn('a', { waiting: tasks(1) }).isProbe).to.equal(true)
    scene.now += 10_001
    expect(scene.turn('b', { waiting: tasks(1) }).isProbe).to.equal(true)
    scene.now += 10_001
    expect(scene.turn('b', { waiting: tasks(1) }).isProbe).to.equal(true)
  })

  it('of a provider that is away begins with its third failure in a row, and grows to half a minute', () => {
    const scene = new Scene()
    const away = (begunAt: number) => pushback(begunAt, { code: 'provider_unavailable', isLimit: false })
    scene.turn('a', { pushback: away(scene.now) })
    scene.turn('a', { pushback: away(scene.now) })
    expect(scene.state.cooldown).to.equal(null)
    const pauses: number[] = []
    for (let failure = 0; failure < 10; failure += 1) {
      scene.turn('a', { pushback: away(scene.now) })
      const until = scene.state.cooldown?.until ?? 0
      pauses.push(until - scene.now)
      scene.now = until + 1
    }
    expect(pauses[0]).to.equal(1_000)
    expect(pauses).to.deep.equal(pauses.toSorted((one, other) => one - other))
    expect(pauses.at(-1)).to.equal(30_000)
    expect(scene.state.cooldown?.since).to.equal(START)
  })

  it('grows, too, for a provider that refuses again and again after the time for which it asks', () => {
    const scene = new Scene()
    const pauses: number[] = []
    for (let failure = 0; failure < 15; failure += 1) {
      const count = failure === 0 ? 100 : 1
      scene.turn('a', { pushback: pushback(scene.now, { count, until: scene.now + 20 }) })
      const until = scene.state.cooldown?.until ?? 0
      pauses.push(until - scene.now)
      scene.now = until + 1
    }
    expect(pauses.slice(0, 4)).to.deep.equal([20, 20, 20, 20])
    expect(pauses).to.deep.equal(pauses.toSorted((one, other) => one - other))
    expect(pauses.at(-1)).to.equal(30_000)
    scene.turn('a', { pushback: pushback(scene.now, { until: scene.now + 60_000 }) })
    expect(scene.state.cooldown?.until, 'never earlier than asked for').to.equal(scene.now + 60_000)
  })

  it('of a provider that was away ends with calls at a time that double, up to what there was', () => {
    const scene = new Scene()
    scene.turn('a', {
      inUse: 60,
      pushback: pushback(START, { count: 4, code: 'provider_unavailable', isLimit: false }),
    })
    for (let failure = 0; failure < 20; failure += 1) {
      scene.now = (scene.state.cooldown?.until ?? 0) + 1
      scene.turn('a', { waiting: tasks(90) })
      scene.turn('a', { pushback: pushback(scene.now, { code: 'provider_unavailable', isLimit: false }) })
    }
    const permits: (number | undefined)[] = []
    for (let round = 0; round < 8; round += 1) {
      scene.now += 40_000
      const served = { count: Number(permits.at(-1) ?? 1), begunAt: scene.now }
      permits.push(scene.turn('a', { served, waiting: tasks(90) }).permits)
    }
    expect(permits.slice(0, 5)).to.deep.equal([2, 4, 8, 16, 32])
    expect(permits.slice(6)).to.deep.equal([undefined, undefined])
  })

  it('halves the calls at a time, which grow again with each that is served', () => {
    const scene = new Scene()
    scene.turn('a', { inUse: 20, pushback: pushback(START, { until: START + 100 }) })
    scene.now += 101
    scene.turn('a', { waiting: tasks(50) })
    scene.turn('a', { served: { count: 1, begunAt: scene.now }, waiting: tasks(50) })
    expect(scene.turn('a', { waiting: tasks(50) }).permits).to.equal(10)
    for (let round = 0; round < 40; round += 1) {
      scene.turn('a', { served: { count: 10, begunAt: scene.now }, waiting: tasks(50) })
    }
    expect(scene.turn('a', { waiting: tasks(50) }).permits).to.equal(undefined)
  })
})
