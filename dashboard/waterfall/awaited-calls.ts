import type { TraceTable } from './trace-table.ts'

/**
 * The calls that a model asked for and that have not ended, by their names, each with how many there are: `look × 2`.
 * @param asked - the row of the model's call
 * @param payload - of its event
 */
export function awaitedCalls(
  { next, name, type }: TraceTable,
  asked: number,
  payload: Record<string, unknown>,
): string[] {
  const { calls = [] } = (payload.response ?? {}) as { calls?: { name: string }[] }
  const left = new Map<string, number>()
  for (const call of calls) left.set(call.name, (left.get(call.name) ?? 0) + 1)
  for (let row = next[asked] as number; row !== -1; row = next[row] as number) {
    const ended = name[row] as string
    // Who is called begins with an event of its own, and says more there.
    if (type[row] === 'tool_call' || type[row] === 'delegation') left.set(ended, (left.get(ended) ?? 0) - 1)
  }
  return [...left].flatMap(([call, count]) => (count <= 0 ? [] : [count === 1 ? call : `${call} × ${count}`]))
}
