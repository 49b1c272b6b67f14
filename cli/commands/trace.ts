import { durationText } from '../../client/index.ts'
import type { Schema } from '../../client/index.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { wholeId } from '../find-subject.ts'
import { oneLine } from '../table.ts'
import { paint } from '../terminal.ts'

type Trace = Schema<'Trace'>

/** `troupe trace ID`: prints the events of a running or ended execution as a tree. */
export async function trace(
  context: Context,
  [given]: [string],
  { errors = false, depth = Infinity }: { errors?: boolean; depth?: number },
): Promise<number> {
  const { troupe, terminal, signal } = context
  const id = await wholeId(context, given)
  await troupe.prompts.get(id, { signal })
  const events: Trace[] = []
  for await (const event of troupe.traces.list({ job_id: id, limit: 1_000 }, { signal })) {
    if (!errors || hasFailed(event)) events.push(event)
  }
  if (terminal.options.json) terminal.document(events)
  else if (errors) events.forEach((event) => terminal.line(describe(event)))
  else printTree(events, depth, (line) => terminal.line(line))
  return EXIT.ok
}

function printTree(events: Trace[], levels: number, print: (line: string) => void): void {
  const known = new Set(events.map(({ id }) => id))
  const children = Map.groupBy(events, ({ parent_id }) => (known.has(parent_id ?? -1) ? parent_id : null))
  // Iterative, because nested agent calls may be deeper than the call stack.
  const waiting = (children.get(null) ?? []).map((event) => ({ event, depth: 0 })).reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { event, depth } = next
    print(`${'  '.repeat(depth)}${describe(event)}`)
    if (depth + 1 >= levels) continue
    const below = (children.get(event.id) ?? []).map((child) => ({ event: child, depth: depth + 1 }))
    waiting.push(...below.reverse())
  }
}

function describe(event: Trace): string {
  const { event_type: type, agent_name: agent, payload } = event
  const name = [payload.tool_name, payload.model, payload.target_agent].find((part) => typeof part === 'string')
  const took = typeof payload.duration_ms === 'number' ? ` ${durationText(payload.duration_ms)}` : ''
  const tokens =
    type === 'llm_usage' ? ` ${Number(payload.prompt_tokens)} → ${Number(payload.completion_tokens)} tokens` : ''
  const error = type === 'error' ? ` ${oneLine(String(payload.error))}` : ''
  const text = `${type} ${String(name ?? agent)}${took}${tokens}${error}`
  return hasFailed(event) ? paint('red', text) : text
}

function hasFailed({ event_type: type, payload }: Trace): boolean {
  return type === 'error' || payload.status === 'error' || payload.status === 'failed'
}
