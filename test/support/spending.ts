import type { ModelSpending } from '../../core/cost.ts'

/** What one call of a model used: 1 token sent, 2 generated, at no known price unless given. */
export function spending(more: Partial<ModelSpending> = {}): ModelSpending {
  const { prompt_tokens = 1, completion_tokens = 2 } = more
  return {
    ...{ provider: 'p', model: 'm', calls: 1, prompt_tokens, completion_tokens },
    total_tokens: prompt_tokens + completion_tokens,
    ...{ input: prompt_tokens, cached: 0, cache_write: 0, output: completion_tokens, reasoning: 0 },
    ...{ nano_usd: 0, priced: 0, estimated: 0 },
    ...more,
  }
}
