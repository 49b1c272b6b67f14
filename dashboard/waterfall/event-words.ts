const WORDS: Record<string, string> = {
  task_start: 'agent',
  task_complete: 'end',
  tool_call: 'tool',
  llm_usage: 'model',
  cache_hit: 'cache',
  delegation: 'delegates',
  error: 'error',
  task_cancel_requested: 'cancel',
  budget_warning: 'budget',
  model_fallback: 'next model',
}

/** A short word for a type of event; one that is not known keeps its name. */
export function wordOfType(type: string): string {
  return WORDS[type] ?? type.replaceAll('_', ' ')
}
