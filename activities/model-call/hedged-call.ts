import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelAnswer, ModelError, ModelRequest } from '../../agents/models/model.ts'
import { messageOf } from '../../core/errors.ts'
import { hedgePath } from '../../core/step-path.ts'
import { spareTurn, type AccountTurn } from './account-turn.ts'
import type { Asking } from './asking.ts'
import { newAttemptId } from '../attempt/attempt.ts'
import { holdForSecond, settlementsOf, limitedRequest } from './call-budget.ts'
import type { Hold } from '../records/hold.ts'
import type { Leg } from '../attempt/leg.ts'
import { spentInVain } from './model-usage.ts'
import type { ModelWork } from '../records/model-work.ts'

/** A running call, which may compete with an equal one. */
interface Contender {
  /** Start of the call, as a time of performance.now(). */
  since: number
  answer: Promise<ModelAnswer>
  /** Resolves when a part of the response has arrived; rejects if the call fails before. */
  begun: Promise<Contender>
  end: () => void
}

interface Race {
  /** The call that began to respond first; the other one's response is discarded. */
  winner?: Contender
  /** One of the calls failed. */
  hasFailed?: boolean
}

/**
 * Makes a model call. If the agent hedges and no part of the response arrives in time, an equal call starts beside it,
 * provided that the account and the budgets have capacity at that moment. The call that responds first is used, and the
 * other one is ended.
 * @throws ModelError
 */
export async function makeCall(leg: Leg, work: ModelWork, asking: Asking, turn: AccountTurn): Promise<ModelAnswer> {
  const { request, hold } = asking
  const { hedge } = work.agent
  if (hedge === undefined) return turn.generate(limitedRequest(request, hold))
  const race: Race = {}
  const first = begin(race, request, hold, turn)
  if (!(await isSilent(first, hedge.afterMs))) return first.answer
  const second = await beginSecond(leg, work, asking, race).catch((error: unknown) => {
    first.end()
    throw error
  })
  if (second === undefined) return first.answer
  const winner = await Promise.any([first.begun, second.begun]).catch(() => first)
  const loser = winner === first ? second : first
  loser.end()
  // The second reservation has at least the room of the first. The call's own reservation is settled with its response,
  // the second one with the lost usage.
  const [answer, lost] = await Promise.allSettled([winner.answer, recordLost(leg, work, asking, second, loser)])
  if (lost.status === 'rejected') {
    leg.deps.log.warn(
      { job_id: work.run.job, error: messageOf(lost.reason) },
      'cannot record the usage of a hedged call',
    )
  }
  if (answer.status === 'rejected') throw answer.reason
  return answer.value
}

function begin(race: Race, request: ModelRequest, hold: Hold | undefined, turn: AccountTurn): Contender {
  const since = performance.now()
  const ending = new AbortController()
  const { promise: begun, resolve, reject } = Promise.withResolvers<Contender>()
  const heard = (): boolean => {
    race.winner ??= contender
    resolve(contender)
    return race.winner === contender
  }
  const made = limitedRequest(request, hold)
  const answer = turn.generate({
    ...made,
    signal: AbortSignal.any([made.signal, ending.signal]),
    onDelta: (delta) => {
      if (heard()) request.onDelta?.(delta)
    },
  })
  answer.then(heard, (error: unknown) => {
    race.hasFailed = true
    reject(error)
  })
  // Waiters learn of the error from `answer`.
  begun.catch(() => undefined)
  const contender: Contender = { since, answer, begun, end: () => ending.abort() }
  return contender
}

/** Whether a call shows no activity for a time: neither a response nor an error. */
async function isSilent({ begun }: Contender, afterMs: number): Promise<boolean> {
  const over = new AbortController()
  const time = sleep(afterMs, true, { signal: over.signal }).catch(() => false)
  const silent = await Promise.race([time, begun.then(() => false).catch(() => false)])
  over.abort()
  return silent
}

async function beginSecond(
  leg: Leg,
  work: ModelWork,
  asking: Asking,
  race: Race,
): Promise<(Contender & { path: string; hold: Hold | undefined }) | undefined> {
  const path = hedgePath(asking.path, newAttemptId())
  const hold = await holdForSecond(leg, work, { ...asking, path })
  if (hold === false) return undefined
  const turn = await spareTurn(leg, asking).catch(() => undefined)
  if (turn !== undefined && race.winner === undefined && race.hasFailed !== true) {
    // The call ends when the time of either reservation is up, because the second one is settled before the response is
    // complete.
    return { ...begin(race, limitedRequest(asking.request, asking.hold), hold, turn), path, hold }
  }
  turn?.leave()
  await hold?.drop()
  return undefined
}

/** The lost call's usage is recorded beside the response, even if its amount is unknown. */
async function recordLost(
  leg: Leg,
  work: ModelWork,
  asking: Asking,
  { path, hold }: { path: string; hold: Hold | undefined },
  { since, answer }: Contender,
): Promise<void> {
  const lost = await answer.catch((error: ModelError) => error)
  const spent = await spentInVain(leg, work, { model: asking.model, path, hold, since }, lost)
  if (spent === undefined) return hold?.drop()
  await leg.attempt.append({ path, ...spent, settlements: settlementsOf(hold, spent) })
}
