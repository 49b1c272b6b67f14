import { isObject } from '../../core/json.ts'

/** Anthropic's minimum thinking budget. */
const LEAST_THINKING_TOKENS = 1_024
const WITHOUT_THINKING = 'the model cannot think: what its call may write is too little for that (maxOutputTokens)'
const LESS_THINKING =
  'the model may think less than its agent sets: at most half of what its call may write (maxOutputTokens)'

/**
 * Keeps a request to Anthropic within a token limit. The adapter adds the thinking budget to the given limit, but our
 * limits include thinking. Thinking gets at most half of the tokens.
 * @param body - JSON of the request.
 * @param warn - receives a warning if the model may think less or not at all.
 */
export function withinLimit(body: string, limit: number, warn: (warning: string) => void): string {
  const request: unknown = JSON.parse(body)
  if (!isObject(request) || !(Number(request.max_tokens) > limit)) return body
  const { thinking, ...others } = { ...request, max_tokens: limit } as Record<string, unknown>
  if (!isObject(thinking) || typeof thinking.budget_tokens !== 'number') return JSON.stringify({ ...others, thinking })
  const budget_tokens = Math.min(thinking.budget_tokens, Math.floor(limit / 2))
  if (budget_tokens < LEAST_THINKING_TOKENS) {
    warn(WITHOUT_THINKING)
    return JSON.stringify(others)
  }
  if (budget_tokens < thinking.budget_tokens) warn(LESS_THINKING)
  return JSON.stringify({ ...others, thinking: { ...thinking, budget_tokens } })
}
