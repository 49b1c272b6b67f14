import { durationText, costText, type Schema } from '../client/index.ts'

type Span = Schema<'Span'>

/** A short description of an event. */
export function spanSentence({ event_type: type, name, metadata, output, input }: Span): string {
  const took = typeof metadata.duration_ms === 'number' ? ` (${durationText(metadata.duration_ms)})` : ''
  const failed = metadata.status === 'error' || metadata.status === 'failed' ? ' and failed' : ''
  if (type === 'task_start') return 'starts'
  if (type === 'task_complete') return `ends${failed}${took}`
  if (type === 'tool_call') return `used the tool ${name}${failed}${took}`
  if (type === 'llm_usage') return `asked the model ${name}${tokens(metadata)}${cost(metadata)}${took}`
  if (type === 'delegation') return `delegates to ${String(metadata.target_agent ?? input.target_agent ?? name)}`
  if (type === 'error') return `failed: ${String(output?.error ?? metadata.error ?? input.error ?? 'unknown error')}`
  if (type === 'cache_hit') return `took ${name} from the cache`
  if (type === 'budget_warning') return `has spent ${Math.round(Number(metadata.spent_share) * 100)} % of its budget`
  if (type === 'model_fallback') return `switched to the model ${String(metadata.to)}: ${String(metadata.code)}`
  if (type === 'task_cancel_requested') return 'was asked to stop'
  return `${type} ${name}`
}

function tokens({ prompt_tokens: prompt, completion_tokens: completion }: Record<string, unknown>): string {
  return typeof prompt === 'number' && typeof completion === 'number' ? `, ${prompt} → ${completion} tokens` : ''
}

/** The cost, if known and not zero; `troupe get` prints the total in all cases. */
function cost({ cost_usd: usd }: Record<string, unknown>): string {
  return typeof usd === 'number' && usd > 0 ? `, ${costText({ usd, complete: true })}` : ''
}
