import {
  ModelError,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  type ModelUsage,
} from '../../agents/models/model.ts'
import type { Parked } from '../../core/execution.ts'
import { SCRIPTED } from '../../core/model-name.ts'
import { learnedRates } from '../../agents/models/learned-rates.ts'
import { tokensIn } from '../../agents/models/usage.ts'
import { CLASS_OF, total } from '../../core/provider-account.ts'
import { LONGEST_COOL_DOWN_WAIT_MS } from '../../core/transitions.ts'
import type { BegunCall, CallOutcome } from '../limits/calls.ts'
import type { Leg } from '../attempt/leg.ts'
import { parkedUntil } from '../attempt/parked.ts'

/** The turn of a model call. */
export interface AccountTurn {
  /** How long the call had to wait for it. */
  throttledMs: number
  /**
   * Makes the call.
   * @throws ModelError
   */
  generate: (request: ModelRequest) => Promise<ModelAnswer>
  /** Returns the turn if the call was not made. */
  leave: () => void
}

/** A longer wait must not occupy a slot. A task of a range rests and stays in its range. */
const LONGEST_WAIT_HERE_MS = 20_000
/** If the share of a hedged call takes longer than this, the first call is as fast. */
const LONGEST_WAIT_FOR_SPARE_MS = 1_000
const MOST_COMPLETION_TOKENS = 200_000
/** HTTP status of an overloaded provider. */
const OVERLOADED = 529

/**
 * Waits until the account has a share for a model call. The wait creates no event, no error and no attempt.
 * @param hasOther - whether the agent has another model; a long cool-down is then not awaited.
 * @returns the wait that the workflow must make, if it is long.
 * @throws ModelError rate_limited if the cool-down is not awaited.
 */
export async function takeTurn(
  leg: Leg,
  { model, request }: { model: Model; request: ModelRequest },
  hasOther: boolean,
): Promise<AccountTurn | Parked> {
  if (model.provider === SCRIPTED) {
    return { throttledMs: 0, generate: (made) => model.generate(made), leave: () => undefined }
  }
  const name = `${model.provider}/${model.model}`
  leg.attempt.progress.now = `waits for ${name}`
  const account = leg.deps.accounts.of(model)
  const { coolingMs: retryAfterMs } = account.figures
  if (hasOther && retryAfterMs > LONGEST_COOL_DOWN_WAIT_MS) {
    const sentence = `${name} cools down for ${Math.ceil(retryAfterMs / 1_000)} seconds`
    throw new ModelError('rate_limited', sentence, { kind: 'pushback', retryAfterMs })
  }
  const longestWaitMs = leg.attempt.place.mayRest ? undefined : LONGEST_WAIT_HERE_MS
  const wanted = { ...wantedCall(leg, request), signal: leg.attempt.signal, longestWaitMs }
  const call = await leg.attempt.place.rest(() => account.begin(wanted))
  return 'until' in call ? waitElsewhere(leg, model, call.until) : turnOf(call, model)
}

/** Lets the workflow wait for a model's account. */
export function waitElsewhere({ deps, attempt }: Leg, model: Model, until: number): Parked {
  if (model.provider !== SCRIPTED) attempt.waitsFor = deps.accounts.of(model).name
  return parkedUntil(until, `waits for ${model.provider}/${model.model}`)
}

/** A turn for a hedged call, if the account soon has spare capacity. */
export async function spareTurn(
  leg: Leg,
  { model, request }: { model: Model; request: ModelRequest },
): Promise<AccountTurn | undefined> {
  const account = leg.deps.accounts.of(model)
  const { isCooling, waiting } = account.figures
  if (isCooling || total(waiting) > 0) return undefined
  const wanted = { ...wantedCall(leg, request), signal: request.signal, longestWaitMs: LONGEST_WAIT_FOR_SPARE_MS }
  const call = await account.begin(wanted)
  return 'until' in call ? undefined : turnOf(call, model)
}

function wantedCall({ execution: { kind, submitted_by, weight = 1 } }: Leg, { agent, turns, tools }: ModelRequest) {
  return {
    class: CLASS_OF[kind],
    key: submitted_by ?? '',
    weight,
    promptTokens: () => tokensIn(JSON.stringify([agent.instructions, turns, tools]).length),
  }
}

function turnOf(call: BegunCall, model: Model): AccountTurn {
  let isMade = false
  const generate = async (made: ModelRequest): Promise<ModelAnswer> => {
    isMade = true
    let outcome: CallOutcome = { isAborted: true }
    try {
      const answer = await model.generate(made)
      outcome = servedBy(answer)
      return answer
    } catch (error) {
      outcome = failedBy(error as ModelError)
      throw error
    } finally {
      call.end(outcome)
    }
  }
  const leave = (): void => {
    if (!isMade) call.end({ isAborted: true })
  }
  return { throttledMs: call.throttledMs, generate, leave }
}

function servedBy({ usage, limits }: ModelAnswer): CallOutcome {
  return { tokens: tokensOf(usage), learned: learnedRates(limits) }
}

/** Used for the pace of later calls. A count that no response can have is capped. */
function tokensOf({ prompt_tokens: prompt, completion_tokens }: ModelUsage) {
  return { prompt, completion: Math.min(completion_tokens, MOST_COMPLETION_TOKENS) }
}

function failedBy({ kind, code, status, retryAfterMs, usage, limits }: Partial<ModelError>): CallOutcome {
  const tokens = usage === undefined || usage.source === 'unknown' ? undefined : tokensOf(usage)
  const shared = { tokens, learned: learnedRates(limits) }
  // The provider processed a refused request, so it is available. Other errors are not the provider's.
  if (kind === 'refused' || kind === 'malformed') return shared
  if (kind !== 'pushback' || code === undefined) return { ...shared, isAborted: true }
  const isLimit = code === 'rate_limited' || status === OVERLOADED
  return { ...shared, pushback: { code, isLimit, retryAfterMs } }
}
