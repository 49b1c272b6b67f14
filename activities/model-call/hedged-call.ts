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

/** A call that is being made, perhaps beside an equal one. */
interface Contender {
  /** When it began, of performance.now(). */
  since: number
  answer: Promise<ModelAnswer>
  /** Resolves when something of its answer has come; rejects when it fails before. */
  begun: Promise<Contender>
  end: () => void
}

interface Race {
  /** The call that began to answer first; of the other one nobody hears anything. */
  winner?: Contender
  /** One of them failed. */
  hasFailed?: boolean
}

/**
 * Makes a model call. Where its agent hedges, and nothing of the answer has come for so long, an equal one is made beside it, if the
 * account and the budgets have a share for it at this moment: who begins to answer first is waited for, and the other one ended.
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
  // The second reservation has at least the room of the first: the call's own is settled with its answer, the second one with what was lost.
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
  // Whoever waits for it hears of it from `answer`.
  begun.catch(() => undefined)
  const contender: Contender = { since, answer, begun, end: () => ending.abort() }
  return contender
}

/** Whether a call gives no sign for a time: no answer, and no error either. */
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
    // It ends with the time of either reservation: the second one is settled before the answer is whole.
    return { ...begin(race, limitedRequest(asking.request, asking.hold), hold, turn), path, hold }
  }
  turn?.leave()
  await hold?.drop()
  return undefined
}

/** What the other one used is counted beside the answer, also where nobody knows how much it was. */
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
