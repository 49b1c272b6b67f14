import type { ModelAnswer, ModelError, ModelUsage as CallUsage, UsageSource } from '../../agents/models/model.ts'
import { UNKNOWN_USAGE } from '../../agents/models/usage.ts'
import { servedTier } from '../../agents/prices/service-tier.ts'
import { toUsd, type Buckets, type ModelSpending } from '../../core/cost.ts'
import type { EventDraft } from '../../store/ledger/entry.ts'
import { event } from '../events.ts'
import type { Asking } from './asking.ts'
import type { Leg } from '../attempt/leg.ts'
import type { ModelWork } from '../records/model-work.ts'

/** The error of a call that lost against an equal one. */
const HEDGE_LOST = 'hedge_lost'

/** What is written about the tokens of a model call. */
export interface Spent {
  events: EventDraft[]
  usage: ModelSpending
  /** The amount that budgets count, in billionths; the standard tier's price if the tier's price is unknown. */
  nanoUsd: number
}

/** The call that used the tokens. */
type MadeCall = Pick<Asking, 'path' | 'model' | 'hold' | 'since'>

/**
 * The usage of a successful model call.
 * @param response - the response for the event.
 * @param throttledMs - how long the call waited for its turn before it began.
 */
export function usedBy(
  leg: Leg,
  work: ModelWork,
  call: MadeCall,
  answer: ModelAnswer,
  { response, throttledMs }: { response: unknown; throttledMs: number },
): Promise<Spent> {
  const throttled = throttledMs > 0 && { throttled_ms: throttledMs }
  const cut = answer.isCut === true && { cut_off: true }
  return spent(leg, work, call, answer.usage, { ...throttled, ...cut, response }, answer)
}

/** Errors of calls on which the provider probably worked although no part of the response arrived. */
const AT_WORK = new Set<string | undefined>(['aborted', 'provider_timeout'])

/** The usage of a failed or interrupted model call; undefined if the provider did no work for it. */
export async function spentBy(leg: Leg, work: ModelWork, call: MadeCall, error: unknown): Promise<Spent | undefined> {
  const { usage, partialText, code } = error as { usage?: CallUsage; partialText?: string; code?: string }
  if (usage === undefined || (usage.source === 'unknown' && !AT_WORK.has(code))) return undefined
  const response = { text: partialText ?? '', calls: [] }
  return spent(leg, work, call, usage, { failed: code, response })
}

/**
 * The part of a failed or interrupted call that budgets count. A call without any response does not count as a model
 * call, because a silent provider is a push-back that the run must wait out.
 */
export function countedOf(spent: Spent | undefined): Spent | undefined {
  return spent !== undefined && spent.usage.total_tokens > 0 ? spent : undefined
}

/** The usage of a call that lost against an equal one; undefined if the provider did no work for it. */
export async function spentInVain(
  leg: Leg,
  work: ModelWork,
  call: MadeCall,
  lost: Pick<ModelAnswer, 'usage' | 'text'> | ModelError,
): Promise<Spent | undefined> {
  const failed = 'kind' in lost && lost.kind !== 'aborted' ? lost.code : HEDGE_LOST
  const text = 'kind' in lost ? lost.partialText : lost.text
  if (failed !== HEDGE_LOST) return spentBy(leg, work, call, lost)
  const response = { text: text ?? '', calls: [] }
  return spent(leg, work, call, lost.usage ?? UNKNOWN_USAGE, { failed, response })
}

/**
 * Prices the usage. The current price is recorded, so a later price change does not alter the cost.
 * @param more - further fields of the event.
 * @param served - the model that responded, if known.
 */
async function spent(
  { deps }: Leg,
  { run, summary, agent }: ModelWork,
  call: MadeCall,
  { source, prompt_source, service_tier, ...tokens }: CallUsage,
  more: Record<string, unknown>,
  { provider, model }: Pick<ModelAnswer, 'provider' | 'model'> = call.model,
): Promise<Spent> {
  const { prompt_tokens, completion_tokens } = tokens
  const total_tokens = prompt_tokens + completion_tokens
  const buckets = toBuckets(tokens)
  const sources = sourcesOf(buckets, source, prompt_source)
  const tier = servedTier(provider, agent.settings, service_tier)
  const price = await deps.prices.find(provider, model, tier)
  const charge = price?.charge({ ...buckets, cache_write_1h: tokens.cache_write_1h_tokens }, new Date())
  // A free model is priced even if the usage is unknown.
  const isPriced = charge !== undefined && price?.isOfStandardTier !== true
  const isKnown = isPriced && (source !== 'unknown' || Object.values(charge.rates).every((rate) => rate === 0))
  const cost = {
    cost_usd: isKnown ? toUsd(charge.nanoUsd) : null,
    price: isPriced ? { source: price?.source, ...charge.rates } : null,
  }
  const shown = {
    provider,
    model,
    step: call.path,
    ...tokens,
    total_tokens,
    usage: source,
    service_tier: tier,
    buckets: withSources(buckets, sources),
    duration_ms: call.since === undefined ? undefined : Math.round(performance.now() - call.since),
  }
  return {
    events: [event('llm_usage', run.agent, summary.start, { ...shown, ...cost, ...more, ...shownReservation(call) })],
    usage: {
      provider,
      model,
      prompt_tokens,
      completion_tokens,
      total_tokens,
      calls: 1,
      ...buckets,
      nano_usd: isKnown ? charge.nanoUsd : 0,
      priced: isKnown ? 1 : 0,
      estimated: source === 'estimated' ? 1 : 0,
    },
    nanoUsd: charge?.nanoUsd ?? 0,
  }
}

/** The call's reservation for the event; the difference to the usage is the estimation error. */
function shownReservation({ hold }: MadeCall) {
  if (hold === undefined) return {}
  const { tokens, nano_usd } = hold.reserved
  return { reserved: { tokens, usd: toUsd(nano_usd) } }
}

/** Splits tokens into disjoint buckets. */
function toBuckets(tokens: Omit<CallUsage, 'source' | 'prompt_source'>): Buckets {
  const { prompt_tokens, completion_tokens, cached_tokens: cached, cache_write_tokens: cache_write } = tokens
  const { reasoning_tokens: reasoning } = tokens
  const input = prompt_tokens - cached - cache_write
  return { input, cached, cache_write, output: completion_tokens - reasoning, reasoning }
}

/**
 * The source of each bucket. If the provider had not reported a total before an interruption, the sources of its parts
 * are unknown.
 */
function sourcesOf(buckets: Buckets, source: UsageSource, prompt: UsageSource): Record<keyof Buckets, UsageSource> {
  const part = (whole: UsageSource, tokens: number): UsageSource =>
    whole === 'measured' || tokens > 0 ? 'measured' : 'unknown'
  return {
    input: prompt,
    cached: part(prompt, buckets.cached),
    cache_write: part(prompt, buckets.cache_write),
    output: source,
    reasoning: part(source, buckets.reasoning),
  }
}

function withSources(buckets: Buckets, sources: Record<keyof Buckets, UsageSource>) {
  const entries = Object.entries(buckets) as [keyof Buckets, number][]
  return Object.fromEntries(entries.map(([bucket, tokens]) => [bucket, { tokens, source: sources[bucket] }]))
}
