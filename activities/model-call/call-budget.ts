import { ModelError, type ModelRequest } from '../../agents/models/model.ts'
import { tokensIn } from '../../agents/models/usage.ts'
import type { ChargedTokens, Price } from '../../agents/prices/price.ts'
import { holdsInTier, nameInTier, servedTier } from '../../agents/prices/service-tier.ts'
import type { Parked } from '../../core/execution.ts'
import type { CallEstimate } from '../../core/budget.ts'
import type { Settlement } from '../../store/spending/budgets.ts'
import { BudgetExceeded } from '../records/budget-exceeded.ts'
import type { Leg } from '../attempt/leg.ts'
import type { Spent } from './model-usage.ts'
import type { ModelWork } from '../records/model-work.ts'
import type { Executed } from '../attempt/outcome.ts'
import type { Hold } from '../records/hold.ts'
import { OF_MODELS } from '../records/run-budgets.ts'

interface CallToHold {
  path: string
  model: { provider: string; model: string }
  request: ModelRequest
  /** Reservation of the call beside which this one is made. */
  hold?: Hold | undefined
}

const NO_TOKENS: ChargedTokens = { input: 0, cached: 0, cache_write: 0, output: 0, reasoning: 0 }

/**
 * Reserves the estimated usage of a model call; undefined for an agent without a budget.
 * @throws BudgetExceeded; ModelError no_price
 */
export async function holdForCall(leg: Leg, work: ModelWork, call: CallToHold): Promise<Hold | Parked | undefined> {
  const { budgets, exceeded } = work
  if (budgets === undefined) return undefined
  return budgets.hold(call.path, await estimateOf(leg, work, call), exceeded !== undefined)
}

/**
 * Reserves the estimated usage of a hedged call.
 * @returns false if the budgets do not suffice for both calls.
 */
export async function holdForSecond(leg: Leg, work: ModelWork, call: CallToHold): Promise<Hold | undefined | false> {
  const { budgets } = work
  if (budgets?.areAbout(OF_MODELS) !== true) return undefined
  const spare = await budgets.spare(call.path, await estimateOf(leg, work, call))
  if (spare === undefined) return false
  const { outputTokens: room = Infinity } = spare
  if (room >= (call.hold?.outputTokens ?? room)) return spare
  // The hedged call's response may be the one that counts; with less room than the first call it could be cut off.
  await spare.drop()
  return false
}

/**
 * Estimates the usage of a call.
 * @throws ModelError no_price
 */
async function estimateOf(
  { deps }: Leg,
  { budgets, transcript, agent }: ModelWork,
  { model, request, hold }: CallToHold,
): Promise<CallEstimate> {
  const tier = servedTier(model.provider, agent.settings)
  const price = await deps.prices.find(model.provider, model.model, tier)
  if (!holdsInTier(price, tier) && budgets?.areAbout(['nano_usd']) === true) {
    const name = nameInTier(`${model.provider}/${model.model}`, tier)
    const sentence = `${name} has no price, so that a budget in US dollars cannot hold: set one in PRICES_FILE`
    throw new ModelError('no_price', sentence, { kind: 'refused' })
  }
  const isHourly = JSON.stringify(agent.settings?.providerOptions?.anthropic ?? {}).includes('"ttl":"1h"')
  return {
    inputTokens: inputTokens(request, transcript.lastTokens),
    maxOutputTokens: hold?.outputTokens ?? agent.settings?.maxOutputTokens,
    nanoUsd: price && ((input: number, output: number) => dearest(price, input, output, isHourly)),
  }
}

/**
 * Reserves a tool call. If the budget allows a final response, the model reads that the call was not made.
 * @throws BudgetExceeded
 */
export async function holdForTool(work: ModelWork, path: string): Promise<Hold | Parked | Executed | undefined> {
  try {
    return await work.budgets?.hold(path)
  } catch (error) {
    if (!(error instanceof BudgetExceeded) || !error.mayAnswer) throw error
    work.exceeded = error
    return { outcome: { error: error.message }, thrown: { error, code: error.code } }
  }
}

/** The request with the output limit of its budgets. */
export function limitedRequest(request: ModelRequest, hold: Hold | undefined): ModelRequest {
  if (hold === undefined) return request
  const { outputTokens: maxOutputTokens } = hold
  const signal = AbortSignal.any([request.signal, hold.signal])
  return { ...request, signal, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) }
}

/** The budget changes to write with the call's record; undefined if the call reserved nothing. */
export function settlementsOf(hold: Hold | undefined, spent: Spent | undefined): Settlement[] | undefined {
  if (spent === undefined) return hold?.settle()
  const { total_tokens: tokens, calls: model_calls } = spent.usage
  return hold?.settle({ nano_usd: spent.nanoUsd, tokens, model_calls })
}

/** Estimates about four characters per token. In a continued conversation, only the new part is estimated. */
function inputTokens({ agent, turns, tools }: ModelRequest, last: { prompt: number; completion: number }): number {
  const isKnown = last.prompt > 0
  const before = isKnown ? turns.findLastIndex(({ role }) => role === 'assistant') + 1 : 0
  const fresh = JSON.stringify(turns.slice(before)).length
  const known = isKnown ? last.prompt + last.completion : tokensIn(JSON.stringify([agent.instructions, tools]).length)
  return known + tokensIn(fresh)
}

/**
 * The maximum cost of a call: no prompt token is cached, and all may be written to a cache, for an hour if the agent
 * wants that.
 */
function dearest(price: Price, input: number, output: number, isHourly: boolean): number {
  const at = new Date()
  const cost = (tokens: Partial<ChargedTokens>): number => price.charge({ ...NO_TOKENS, ...tokens }, at).nanoUsd
  const prompts = [{ input }, { cache_write: input, cache_write_1h: isHourly ? input : 0 }]
  const answers = [{ output }, { reasoning: output }]
  return Math.max(...prompts.flatMap((prompt) => answers.map((answer) => cost({ ...prompt, ...answer }))))
}
