import type { TraceTable } from '../../waterfall/trace-table.ts'

/** What the calls of one agent used. */
export interface AgentTokens {
  agent: string
  calls: number
  prompt_tokens: number
  completion_tokens: number
}

/** What each agent used, as the events tell, the one that used most first. */
export function tokensByAgent({ size, type, agent, promptTokens, completionTokens }: TraceTable): AgentTokens[] {
  const sums = new Map<string, AgentTokens>()
  for (let row = 0; row < size; row += 1) {
    if (type[row] !== 'llm_usage') continue
    const name = agent[row] ?? ''
    const sum = sums.get(name) ?? { agent: name, calls: 0, prompt_tokens: 0, completion_tokens: 0 }
    sum.calls += 1
    sum.prompt_tokens += promptTokens[row] ?? 0
    sum.completion_tokens += completionTokens[row] ?? 0
    sums.set(name, sum)
  }
  const total = (sum: AgentTokens): number => sum.prompt_tokens + sum.completion_tokens
  return [...sums.values()].sort((one, other) => total(other) - total(one))
}
