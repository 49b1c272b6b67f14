import type { TraceTable } from '../../waterfall/trace-table.ts'

/** What comes first of the model calls of an execution. */
export type CallOrder = 'time' | 'tokens'

/** The rows of an execution's model calls, in the order of their events or of what they used. */
export function modelCalls(table: TraceTable, order: CallOrder): number[] {
  const { type, promptTokens, completionTokens } = table
  const rows = [...type.keys()].filter((row) => type[row] === 'llm_usage')
  const tokens = (row: number): number => (promptTokens[row] ?? 0) + (completionTokens[row] ?? 0)
  return order === 'time' ? rows : rows.sort((one, other) => tokens(other) - tokens(one) || one - other)
}
