import type { Model, ModelAnswer, ModelUsage as CallUsage } from '../../agents/models/model.ts'
import type { ModelUsage } from '../../core/execution.ts'
import type { EventDraft, TraceReference } from '../../store/ledger-entry.ts'
import { event } from '../events.ts'

/** What is written of tokens that a model call used. */
export interface Spent {
  events: EventDraft[]
  usage: ModelUsage
}

/**
 * What a model call used that gave an answer.
 * @param since - of performance.now()
 * @param response - the answer as events show it.
 */
export function usedBy(
  { provider, model, usage }: ModelAnswer,
  agent: string,
  start: TraceReference,
  { since, response }: { since: number; response: unknown },
): Spent {
  const duration_ms = Math.round(performance.now() - since)
  return spent(provider, model, usage, (payload) =>
    event('llm_usage', agent, start, { ...payload, duration_ms, response }),
  )
}

/** What a model call used that failed or was ended; undefined when the provider did no work for it. */
export function spentBy(
  error: unknown,
  { provider, model }: Model,
  agent: string,
  start: TraceReference,
): Spent | undefined {
  const { usage, partialText, code } = error as { usage?: CallUsage; partialText?: string; code?: string }
  if (usage === undefined || usage.prompt_tokens + usage.completion_tokens === 0) return undefined
  const response = { text: partialText ?? '', calls: [] }
  return spent(provider, model, usage, (payload) =>
    event('llm_usage', agent, start, { ...payload, failed: code, response }),
  )
}

function spent(
  provider: string,
  model: string,
  { source, ...tokens }: CallUsage,
  toEvent: (payload: Record<string, unknown>) => EventDraft,
): Spent {
  const total_tokens = tokens.prompt_tokens + tokens.completion_tokens
  const { prompt_tokens, completion_tokens } = tokens
  return {
    events: [toEvent({ provider, model, ...tokens, total_tokens, usage: source })],
    usage: { provider, model, prompt_tokens, completion_tokens, total_tokens, calls: 1 },
  }
}
