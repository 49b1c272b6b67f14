import { TraceTable } from '../../dashboard/waterfall/trace-table.ts'

/** An event as a test gives it: what is left out is that of a tool's call. */
export interface GivenEvent {
  id: number
  parent?: number
  name?: string
  type?: string
  startMs?: number
  duration?: number
  failed?: boolean
  tokens?: [sent: number, got: number]
}

/** A trace of these events. */
export function tableOf(...events: GivenEvent[]): TraceTable {
  const table = new TraceTable()
  for (const { id, parent = 0, name = 'x', type = 'tool_call', startMs = id, ...given } of events) {
    const { duration = 0, failed = false, tokens: [prompt_tokens, completion_tokens] = [0, 0] } = given
    table.add({ id, parent, name, agent: 'agent', type, startMs, duration, failed, prompt_tokens, completion_tokens })
  }
  return table
}
