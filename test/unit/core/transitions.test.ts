import { expect } from 'chai'
import {
  decideNext,
  decideRetry,
  givesModelUp,
  decideTake,
  MAX_MALFORMED,
  MAX_PAID_IN_VAIN,
  MAX_UNEXPLAINED,
  MAX_PUSH_BACK_MS,
  mayWrite,
  reconcileAction,
  type Take,
} from '../../../core/transitions.ts'
import { beginning, isSettled, nextWorlds, type World } from './one-writer.ts'

const NOW = new Date('2026-01-02T00:00:00.000Z')
const ago = (ms: number): Date => new Date(NOW.getTime() - ms)

describe('The protocol of one writer a run', function () {
  this.timeout(120_000)

  it('lets nobody write beside the holder, changes no record and loses no end, however two attempts, a crash, a cancel and the reconciler interleave', () => {
    const seen = new Set<string>()
    const left: World[] = [beginning()]
    const ends = new Set<string>()
    for (let world = left.pop(); world !== undefined; world = left.pop()) {
      const key = JSON.stringify(world)
      if (seen.has(key)) continue
      seen.add(key)
      expect(world.violation, key).to.equal(null)
      if (isSettled(world)) ends.add(world.record.status)
      left.push(...nextWorlds(world).filter((next) => isAllowedEnd(world, next)))
    }
    // All of it was explored, and every kind of end was among it.
    expect(seen.size).to.be.greaterThan(5_000)
    expect([...ends]).to.include.members(['completed', 'failed', 'canceled'])
  })

  /** What has ended stays as it ended. */
  function isAllowedEnd(before: World, after: World): boolean {
    if (before.record.status !== 'running') expect(after.record.status).to.equal(before.record.status)
    for (const [step, writer] of Object.entries(before.record.steps)) expect(after.record.steps[step]).to.equal(writer)
    return true
  }

  it('comes to an end whenever one worker goes on', () => {
    for (const crashed of [false, true]) {
      let world = beginning()
      // A begins and takes the run; then it crashes, or never moves again.
      for (const wanted of ['take', 'read', 'begin', 'write']) {
        world = nextWorlds(world).find(({ attempts: [a] }) => a?.at === wanted) as World
      }
      if (crashed) world = nextWorlds(world).find(({ attempts: [a] }) => a?.crashed === true) as World
      for (let moves = 0; moves < 20 && world.record.status === 'running'; moves += 1) {
        const before = JSON.stringify(world.attempts[1])
        const moved = nextWorlds(world).find(
          ({ attempts: [a, b], left }) =>
            JSON.stringify(a) === JSON.stringify(world.attempts[0]) &&
            left.length === world.left.length &&
            JSON.stringify(b) !== before,
        )
        if (moved !== undefined) world = moved
      }
      expect(world.record.status).to.equal('completed')
      expect(new Set(Object.values(world.record.steps))).to.deep.equal(new Set(['B1']))
    }
  })
})

describe('decideTake', () => {
  const seen: Take = { n: 3, attempt: 'x', worker: 'other', lost: 1, records: 5 }
  const situation = { seen, isAlive: () => false, me: 'me', records: 5, tried: 'maybe' as const }

  it('takes what nobody has taken', () => {
    expect(decideTake({ ...situation, seen: undefined, records: 0 })).to.deep.equal({
      action: 'take',
      take: { n: 1, lost: 0, records: 0 },
    })
  })

  it('counts the worker of a try that was lost before it could record anything', () => {
    const lost = decideTake({ ...situation, seen: undefined, records: 0, tried: 'lost' })
    expect(lost).to.deep.equal({ action: 'take', take: { n: 1, lost: 1, records: 0 } })
  })

  it('waits while the worker of another attempt lives', () => {
    expect(decideTake({ ...situation, isAlive: () => true })).to.deep.equal({ action: 'wait' })
  })

  it('counts workers that were lost in a row, and gives up at the third', () => {
    expect(decideTake(situation)).to.deep.include({ take: { n: 4, lost: 2, records: 5 } })
    expect(decideTake({ ...situation, seen: { ...seen, lost: 2 } })).to.deep.equal({ action: 'give_up' })
  })

  it('counts anew when something was recorded in between', () => {
    expect(decideTake({ ...situation, seen: { ...seen, lost: 2 }, records: 6 })).to.deep.include({
      take: { n: 4, lost: 1, records: 6 },
    })
  })

  it('allows one more loss for each time that the run did no harm alone, three times', () => {
    const acquitted = (lost: number, times: number) =>
      decideTake({ ...situation, seen: { ...seen, lost, acquitted: times } }).action
    expect([acquitted(2, 1), acquitted(3, 1), acquitted(4, 3)]).to.deep.equal(['take', 'give_up', 'take'])
    expect(acquitted(5, 9), 'however often it was acquitted').to.equal('give_up')
  })

  it('blames no worker for a run that was let go', () => {
    for (const worker of [null, 'me']) {
      const taken = decideTake({ ...situation, seen: { ...seen, worker, lost: 2 } })
      expect(taken).to.deep.include({ take: { n: 4, lost: 0, records: 5 } })
    }
  })
})

describe('mayWrite', () => {
  const running = { status: 'running', atRest: false, attempt: 'a' } as const
  const canceled = { status: 'canceled', atRest: false, attempt: 'a' } as const
  const cases: [string, boolean, boolean][] = [
    ['its holder', mayWrite(running, { attempt: 'a' }), true],
    ['another attempt', mayWrite(running, { attempt: 'b' }), false],
    ['the holder of a canceled run, which tells what it has used', mayWrite(canceled, { attempt: 'a' }), true],
    ['the holder of what has come to rest', mayWrite({ ...canceled, atRest: true }, { attempt: 'a' }), false],
    ['one that takes it from whom it saw', mayWrite(running, { attempt: 'b', takesFrom: 'a' }), true],
    [
      'one that takes it from somebody who does not hold it',
      mayWrite(running, { attempt: 'b', takesFrom: 'x' }),
      false,
    ],
    ['one that takes it from nobody while it is held', mayWrite(running, { attempt: 'b', takesFrom: null }), false],
    ['one that takes a canceled run', mayWrite(canceled, { attempt: 'b', takesFrom: 'a' }), false],
    ['a cancel', mayWrite(running, { ends: 'canceled' }), true],
    ['a failure from outside after a cancel', mayWrite(canceled, { ends: 'failed' }), false],
  ]
  for (const [who, may, expected] of cases) {
    it(`${expected ? 'lets' : 'does not let'} ${who} write`, () => expect(may).to.equal(expected))
  }
})

describe('decideNext', () => {
  const cases: [string, Parameters<typeof decideNext>[0], object][] = [
    ['asks', { steps: 1, missing: [], isFinal: false }, { action: 'ask' }],
    ['makes the calls that are missing', { steps: 1, missing: [3], isFinal: false }, { action: 'call', calls: [3] }],
    ['finishes, also with its last step', { steps: 2, missing: [], isFinal: true }, { action: 'finish' }],
    ['stops after its last step', { steps: 2, missing: [], isFinal: false }, { action: 'max_steps' }],
  ]
  for (const [title, progress, next] of cases) {
    it(title, () => expect(decideNext(progress, 2)).to.deep.equal(next))
  }
})

describe('givesModelUp', () => {
  const call = { retryable: true, malformed: false, paid: false, unexplained: false }
  for (const [code, retryAfterMs, ofModel, isGivenUp] of [
    ['provider_unavailable', undefined, 1, false],
    ['provider_unavailable', undefined, 2, true],
    ['provider_timeout', undefined, 2, true],
    ['rate_limited', 10_000, 5, false],
    ['rate_limited', 10_001, 1, true],
    ['provider_unauthorized', undefined, 1, true],
    ['model_not_found', undefined, 1, true],
    ['context_overflow', undefined, 1, true],
    ['malformed_answer', undefined, 5, false],
    ['provider_refused', undefined, 1, false],
  ] as const) {
    it(`${isGivenUp ? 'goes on with the next model' : 'stays'} after ${code}, ${retryAfterMs ?? 0} ms, call ${ofModel}`, () => {
      const failures = { count: 7, since: NOW, malformed: 0, paid: 0, unexplained: 0, ofModel }
      expect(givesModelUp(code, { ...call, retryAfterMs }, failures)).to.equal(isGivenUp)
    })
  }
})

describe('decideRetry', () => {
  const call = { retryable: true, malformed: false, paid: false, unexplained: false }
  const failures = { count: 1, since: NOW, malformed: 0, paid: 0, unexplained: 0, ofModel: 0 }
  const middle = 0.5

  it('waits longer each time, and never much longer than a minute and a half', () => {
    const pauses = [1, 2, 3, 8, 40].map((count) => decideRetry(call, { ...failures, count }, NOW, middle))
    expect(pauses).to.deep.equal([500, 1_000, 2_000, 64_000, 90_000].map((inMs) => ({ action: 'retry', inMs })))
  })

  it('spreads those that failed together', () => {
    const inMs = [0, 0.999].map((random) => decideRetry(call, failures, NOW, random))
    expect(inMs).to.deep.equal([
      { action: 'retry', inMs: 400 },
      { action: 'retry', inMs: 600 },
    ])
  })

  it('never comes back before the time that the provider asked for', () => {
    for (const random of [0, 0.999]) {
      const retry = decideRetry({ ...call, retryAfterMs: 30_000 }, failures, NOW, random)
      expect(retry).to.have.property('inMs').that.is.within(30_000, 36_000)
    }
    expect(decideRetry({ ...call, retryAfterMs: 1e12 }, failures, NOW, 0)).to.deep.equal({
      action: 'retry',
      inMs: 3_600_000,
    })
  })

  it('goes on for a day', () => {
    expect(decideRetry(call, { ...failures, since: ago(MAX_PUSH_BACK_MS - 1) }, NOW, middle).action).to.equal('retry')
    expect(decideRetry(call, { ...failures, since: ago(MAX_PUSH_BACK_MS + 1) }, NOW, middle).action).to.equal('fail')
  })

  it('does not go on for what is refused for good, or malformed six times', () => {
    expect(decideRetry({ ...call, retryable: false }, failures, NOW, middle).action).to.equal('fail')
    const malformed = { ...call, malformed: true }
    expect(decideRetry(malformed, { ...failures, malformed: MAX_MALFORMED - 1 }, NOW, middle).action).to.equal('retry')
    expect(decideRetry(malformed, { ...failures, malformed: MAX_MALFORMED }, NOW, middle).action).to.equal('fail')
  })

  it('does not go on for a day for an error that nobody knows', () => {
    const unexplained = { ...call, unexplained: true }
    const after = (count: number) => decideRetry(unexplained, { ...failures, unexplained: count }, NOW, middle).action
    expect(after(MAX_UNEXPLAINED - 1)).to.equal('retry')
    expect(after(MAX_UNEXPLAINED)).to.equal('fail')
  })

  it('does not go on for ever for answers that are paid for, and cut off each time', () => {
    expect(decideRetry(call, { ...failures, count: 99, paid: MAX_PAID_IN_VAIN - 1 }, NOW, middle).action).to.equal(
      'retry',
    )
    expect(decideRetry(call, { ...failures, paid: MAX_PAID_IN_VAIN }, NOW, middle).action).to.equal('fail')
  })
})

describe('reconcileAction', () => {
  const stuck = { workflow: 'RUNNING', problem: { isRestartable: true } }
  const cases: [string, Parameters<typeof reconcileAction>[0], string][] = [
    ['starts what has no workflow', { workflow: undefined }, 'start'],
    ['starts what its workflow left unfinished', { workflow: 'COMPLETED' }, 'start'],
    ['leaves alone what runs', { workflow: 'RUNNING' }, 'nothing'],
    ['stops what was canceled at Temporal', { workflow: 'CANCELLED' }, 'record_stop'],
    ['fails what was terminated', { workflow: 'TERMINATED' }, 'fail'],
    ['fails what timed out', { workflow: 'TIMED_OUT' }, 'fail'],
    ['starts anew what can never go on', stuck, 'restart'],
    ['does so again after a pause', { ...stuck, restarts: { count: 2, at: ago(61_000) } }, 'restart'],
    ['does not do so before', { ...stuck, restarts: { count: 2, at: ago(59_000) } }, 'report'],
    ['never gives up', { ...stuck, restarts: { count: 50, at: ago(3_601_000) } }, 'restart'],
    ['waits for another version of the code', { workflow: 'RUNNING', problem: { isRestartable: false } }, 'report'],
  ]
  for (const [title, situation, action] of cases) {
    it(title, () => expect(reconcileAction(situation, NOW)).to.equal(action))
  }
})
