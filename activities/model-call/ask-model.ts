import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelError } from '../../agents/models/model.ts'
import { FINAL_ANSWER } from '../../agents/structured/final-answer.ts'
import { codeOf, messageOf } from '../../core/errors.ts'
import type { LegResult, Parked } from '../../core/execution.ts'
import { failurePath } from '../../core/step-path.ts'
import { decideRetry, givesModelUp, type FailedCall, type Failures } from '../../core/transitions.ts'
import { errorEvent, event, stepEventValue } from '../events.ts'
import type { Content } from '../../store/documents.ts'
import type { EventDraft } from '../../store/ledger/entry.ts'
import { prepareCall, type Asking } from './asking.ts'
import { takeTurn, waitElsewhere, type AccountTurn } from './account-turn.ts'
import { recordFailed } from '../records/agent-record.ts'
import type { AttemptEntry } from '../attempt/attempt.ts'
import { countedOf, spentBy, usedBy } from './model-usage.ts'
import type { ModelWork } from '../records/model-work.ts'
import { BudgetExceeded } from '../records/budget-exceeded.ts'
import { holdForCall, settlementsOf } from './call-budget.ts'
import { makeCall } from './hedged-call.ts'
import { mayTellWhatItUsed } from '../attempt/stop.ts'
import type { Leg } from '../attempt/leg.ts'
import { recordedFailures, type FailureNote, type ModelStepResult } from '../records/transcript.ts'

/** A longer wait must not occupy a worker or a slot. */
const LONGEST_PAUSE_HERE_MS = 60_000

/**
 * Makes the next model call, or finds its response in the cache, and records it. A call that the provider pushes back
 * is repeated as long as that is useful.
 * @returns undefined if the response is in the transcript; otherwise the end of the leg.
 */
export async function askModel(leg: Leg, work: ModelWork): Promise<LegResult | undefined> {
  const { run, transcript, records } = work
  let prepared = prepareCall(leg, work)
  const before = recordedFailures(records, prepared.path)
  let failures = before?.failures
  const waiting = await pause(leg, prepared, before?.until ?? 0)
  if (waiting !== undefined) return waiting
  for (;;) {
    const asking = { ...prepared }
    try {
      const answer = (await fromCache(leg, work, asking)) ?? (await fromModel(leg, work, asking))
      if ('status' in answer) return answer
      transcript.answered(answer)
      return undefined
    } catch (error) {
      if (leg.attempt.signal.aborted) await recordAborted(leg, work, asking, error, failures?.count ?? 0)
      leg.attempt.signal.throwIfAborted()
      if (error instanceof BudgetExceeded) throw error
      const failed = failedCall(error)
      const now = new Date()
      failures = counted(failures, failed, now)
      if (hasOther(work) && givesModelUp(codeOf(error), failed, failures)) {
        prepared = await fallBack(leg, work, asking, error, { ...noteOf(failed), count: failures.count })
        failures = { ...failures, ofModel: 0 }
        continue
      }
      const decision = decideRetry(failed, failures, now, Math.random())
      if (decision.action === 'fail') {
        await recordSpent(leg, work, asking, error, failurePath(asking.path, failures.count - 1))
        const timeUp = asking.hold?.timeUp()
        if (timeUp !== undefined) throw timeUp
        return { status: await recordFailed(leg, run, error, work.summary) }
      }
      const until = now.getTime() + decision.inMs
      await recordFailure(leg, work, asking, error, { ...noteOf(failed), count: failures.count, until })
      const parked = await pause(leg, asking, until)
      if (parked !== undefined) return parked
    } finally {
      await asking.hold?.drop()
    }
  }
}

/** Whether the agent has another model. */
function hasOther({ agent, model }: ModelWork): boolean {
  return model + 1 < agent.models.length
}

/** Switches to the agent's next model for the rest of the run. */
async function fallBack(
  leg: Leg,
  work: ModelWork,
  asking: Asking,
  error: unknown,
  failed: { count: number; malformed: boolean; paid: boolean },
): Promise<Asking> {
  const { agent, model, run, summary } = work
  const payload = { from: agent.models[model], to: agent.models[model + 1], code: codeOf(error) }
  const events = [event('model_fallback', run.agent, summary.start, payload)]
  await recordFailure(leg, work, asking, error, { ...failed, until: Date.now(), model: model + 1 }, events)
  work.model += 1
  return prepareCall(leg, work)
}

/**
 * Waits until a time, in this worker if the wait is short or free.
 * @returns the wait that the workflow must make.
 */
async function pause(leg: Leg, { model }: Asking, until: number): Promise<Parked | undefined> {
  const { attempt } = leg
  const left = until - Date.now()
  if (left > LONGEST_PAUSE_HERE_MS && !attempt.place.mayRest) return waitElsewhere(leg, model, until)
  if (left > 0) await attempt.place.rest(() => sleep(left, undefined, { signal: attempt.signal }))
  return undefined
}

async function fromCache(leg: Leg, work: ModelWork, asking: Asking): Promise<ModelStepResult | undefined> {
  const { run, summary, transcript } = work
  const { path, model, cache } = asking
  const cached = await cache.find()
  if (cached === undefined) return undefined
  const parameters = { step: transcript.steps, agent: run.agent }
  const payload = { model: model.model, provider: model.provider, parameters }
  const answer = { ...cached, tokens: { prompt: 0, completion: 0 } }
  const events = [event('cache_hit', run.agent, summary.start, payload)]
  await recordAnswer(leg, path, answer, { events })
  return answer
}

/**
 * Makes the call as soon as its account has a share for it. Equal calls wait for its response, and people may watch it.
 * The call reserves nothing of a budget while it waits for its turn.
 */
async function fromModel(leg: Leg, work: ModelWork, asking: Asking): Promise<ModelStepResult | Parked> {
  let turn: AccountTurn | undefined
  try {
    const taken = await takeTurn(leg, asking, hasOther(work))
    if ('status' in taken) return taken
    turn = taken
    const held = await holdForCall(leg, work, asking)
    if (held !== undefined && 'status' in held) return held
    asking.hold = held
    asking.since = performance.now()
    const result = await watched(leg, work, asking, turn)
    await asking.cache.keep(result)
    return result
  } finally {
    turn?.leave()
    await asking.cache.release()
  }
}

/** Makes a call and publishes its text to watchers as it arrives. */
async function watched(leg: Leg, work: ModelWork, asking: Asking, turn: AccountTurn): Promise<ModelStepResult> {
  const live = leg.deps.liveText.begin(work.run, asking.path)
  let isRecorded = false
  try {
    const request = { ...asking.request, onDelta: live.onDelta }
    const result = await callModel(leg, work, { ...asking, request }, turn)
    isRecorded = true
    return result
  } finally {
    live.end(isRecorded)
  }
}

async function callModel(leg: Leg, work: ModelWork, asking: Asking, turn: AccountTurn): Promise<ModelStepResult> {
  const { path, model, hold, since = performance.now() } = asking
  const { deps, attempt } = leg
  const { run } = work
  attempt.progress.now = `asks ${model.model}`
  const answer = await makeCall(leg, work, asking, turn)
  const calls = work.exceeded === undefined ? answer.calls : answer.calls.filter(({ name }) => name === FINAL_ANSWER)
  const { text, provider, message, usage, warnings = [] } = answer
  for (const warning of warnings) deps.log.warn({ job_id: run.job, agent: run.agent, model: model.model }, warning)
  const tokens = { prompt: usage.prompt_tokens, completion: usage.completion_tokens }
  const result: ModelStepResult = { text, calls, tokens, provider, message }
  const [content, response] = await Promise.all([
    attempt.putStep(path, result),
    stepEventValue(attempt, `${path}.result`, { text, calls }),
  ])
  // A response that this call's budget cut off must not be reused by an agent without such a budget.
  const { maxOutputTokens = Infinity } = work.agent.settings ?? {}
  if (answer.isCut === true && (hold?.outputTokens ?? Infinity) < maxOutputTokens) await asking.cache.release()
  attempt.note(model.model, since, tokens.prompt + tokens.completion)
  const { throttledMs } = turn
  const used = await usedBy(leg, work, asking, answer, { response, throttledMs })
  await recordAnswer(leg, path, result, { content, ...used, settlements: settlementsOf(hold, used) })
  if (hold !== undefined) await work.budgets?.warn(work.summary)
  return result
}

/**
 * Records a response. Its tool calls begin only after the record, while an agent's end may be written right behind its
 * response.
 */
async function recordAnswer(
  { attempt }: Leg,
  path: string,
  answer: ModelStepResult,
  { content, ...entry }: Pick<AttemptEntry, 'events' | 'usage' | 'settlements'> & { content?: Content },
): Promise<void> {
  const result = content ?? (await attempt.putStep(path, answer))
  const written = attempt.append({ ...entry, path, result })
  // A budget's remainder is known only after the record.
  if (answer.calls.length > 0 || entry.settlements !== undefined) await written
  else written.catch(() => undefined)
}

/**
 * Classifies a failed call for the retry decision.
 * @throws the error itself if it does not concern the call; the run then continues from its records.
 */
function failedCall(error: unknown): FailedCall {
  const { retryable, malformed, retryAfterMs, usage } = error as Partial<ModelError>
  if (retryable === undefined) throw error
  const paid = usage !== undefined && usage.prompt_tokens + usage.completion_tokens > 0
  return {
    retryable,
    malformed: malformed === true,
    paid,
    unexplained: codeOf(error) === 'provider_error',
    retryAfterMs,
  }
}

function noteOf({ malformed, paid, unexplained }: FailedCall): Omit<FailedCall, 'retryable' | 'retryAfterMs'> {
  return { malformed, paid, unexplained }
}

function counted(before: Failures | undefined, { malformed, paid, unexplained }: FailedCall, now: Date): Failures {
  const none = { count: 0, since: now, malformed: 0, paid: 0, unexplained: 0, ofModel: 0 }
  const { count, since, ...sums } = before ?? none
  return {
    count: count + 1,
    since,
    malformed: sums.malformed + Number(malformed),
    paid: sums.paid + Number(paid),
    unexplained: sums.unexplained + Number(unexplained),
    ofModel: sums.ofModel + 1,
  }
}

async function recordFailure(
  leg: Leg,
  work: ModelWork,
  asking: Asking,
  error: unknown,
  { count, ...note }: { count: number } & FailureNote,
  more: EventDraft[] = [],
): Promise<void> {
  const { path, hold } = asking
  const { deps, attempt } = leg
  const { run, summary } = work
  const fields = { job_id: run.job, agent: run.agent, code: codeOf(error), error: messageOf(error) }
  deps.log.warn(fields, 'model call failed; trying again')
  const spent = await spentBy(leg, work, asking, error)
  await attempt.append({
    path: failurePath(path, count - 1),
    result: { json: JSON.stringify(note) },
    events: [...(spent?.events ?? []), errorEvent(run.agent, summary.start, error, { retryable: true }), ...more],
    usage: spent?.usage,
    settlements: settlementsOf(hold, countedOf(spent)),
  })
  if (hold !== undefined) await work.budgets?.warn(summary)
}

/** A call that a cancel or the worker's end interrupted has used tokens too. An overtaken attempt writes nothing. */
async function recordAborted(leg: Leg, work: ModelWork, asking: Asking, error: unknown, count: number): Promise<void> {
  if (!mayTellWhatItUsed(leg.attempt.signal)) return
  await recordSpent(leg, work, asking, error, failurePath(asking.path, count)).catch(() => undefined)
}

async function recordSpent(leg: Leg, work: ModelWork, asking: Asking, error: unknown, path: string): Promise<void> {
  const { hold } = asking
  const spent = await spentBy(leg, work, asking, error)
  if (spent === undefined && hold === undefined) return
  await leg.attempt.append({ path, events: [], ...spent, settlements: settlementsOf(hold, countedOf(spent)) })
}
