import type { TraceOutline } from '../../contracts/trace-outline.ts'
import { spanHead } from '../../core/span-head.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import type { EventType } from '../../core/execution.ts'
import type { TraceDocument } from '../../store/documents.ts'
import { inPortions } from '../http/in-portions.ts'

/** Number of events in one reply; large, because no slow client delays reading. */
const REPLY = 2_000

interface OutlineQuery {
  job_id: string
  after: number
  limit: number
}

/** The events of one execution as columns. Reads payloads in portions and keeps only a few fields of them. */
export async function readOutline({ traces }: Store, { job_id, after, limit }: OutlineQuery): Promise<TraceOutline> {
  // On the first page, the start time is that of its first event: a separate read could find an event that the page does not contain.
  const before =
    after === 0 ? null : await traces.findOne({ job_id }, { sort: { _id: 1 }, projection: { timestamp: 1 } })
  let start = before?.timestamp
  const columns = new Columns()
  const found = traces
    .find({ job_id, _id: { $gt: after } })
    .sort({ _id: 1 })
    .limit(limit + 1)
  let more = false
  for await (const portion of inPortions(found, { reply: REPLY })) {
    for (const trace of portion) {
      start ??= trace.timestamp
      more = columns.count === limit
      if (!more) columns.add(trace, start.getTime())
    }
  }
  const { names, types, columns: arrays, count } = columns
  return {
    job_id,
    start_time: start?.toISOString() ?? null,
    names: [...names.keys()],
    event_types: [...types.keys()],
    columns: arrays,
    count,
    next_after: more ? (arrays.id.at(-1) ?? null) : null,
  }
}

/** Collects columns; stores each distinct string once. */
class Columns {
  readonly names = new Map<string, number>()
  readonly types = new Map<EventType, number>()
  readonly columns: TraceOutline['columns'] = {
    id: [],
    parent: [],
    name: [],
    agent: [],
    type: [],
    start: [],
    duration: [],
    failed: [],
    prompt_tokens: [],
    completion_tokens: [],
  }

  get count(): number {
    return this.columns.id.length
  }

  /** Adds an event. @param startMs - reference time of the start column. */
  add(trace: TraceDocument, startMs: number): void {
    const { columns } = this
    const head = spanHead(trace)
    columns.id.push(trace._id)
    columns.parent.push(trace.parent_id ?? 0)
    columns.name.push(indexIn(this.names, head.name))
    columns.agent.push(indexIn(this.names, trace.agent_name))
    columns.type.push(indexIn(this.types, trace.event_type))
    columns.start.push(head.startMs - startMs)
    columns.duration.push(head.durationMs ?? -1)
    columns.failed.push(head.failed ? 1 : 0)
    columns.prompt_tokens.push(head.promptTokens)
    columns.completion_tokens.push(head.completionTokens)
  }
}

function indexIn<Value>(known: Map<Value, number>, value: Value): number {
  const index = known.get(value) ?? known.size
  known.set(value, index)
  return index
}
