import type { ModelUsage } from './cost.ts'

/** Token usage of an execution for the interface: the sums, and the models sorted by name. */
export function tokenUsage(usage: Record<string, ModelUsage>) {
  const by_model = Object.entries(usage)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { provider, model, prompt_tokens, completion_tokens, total_tokens, calls }]) => {
      return { provider, model, prompt_tokens, completion_tokens, total_tokens, calls }
    })
  const sum = (field: 'prompt_tokens' | 'completion_tokens' | 'total_tokens'): number =>
    by_model.reduce((total, entry) => total + entry[field], 0)
  return {
    prompt_tokens: sum('prompt_tokens'),
    completion_tokens: sum('completion_tokens'),
    total_tokens: sum('total_tokens'),
    by_model,
  }
}
