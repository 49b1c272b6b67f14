import type { TraceOutline } from '../../contracts/trace-outline.ts'
import { spanHead } from '../../core/span-head.ts'
import type { Store } from '../../store/connect.ts'
import type { EventType } from '../../core/execution.ts'
import type { TraceDocument } from '../../store/documents.ts'
import { inPortions } from '../http/in-portions.ts'

/** No client is waited for while they are read: fewer, larger replies. */
const REPLY = 2_000

interface OutlineQuery {
  job_id: string
  after: number
  limit: number
}

/** The events of one execution as columns. Payloads are read a portion at a time and only looked into. */
export async function readOutline({ traces }: Store, { job_id, after, limit }: OutlineQuery): Promise<TraceOutline> {
  const first = await traces.findOne({ job_id }, { sort: { _id: 1 }, projection: { timestamp: 1 } })
  const startMs = first?.timestamp.getTime() ?? 0
  const columns = new Columns(startMs)
  const found = traces
    .find({ job_id, _id: { $gt: after } })
    .sort({ _id: 1 })
    .limit(limit + 1)
  let more = false
  for await (const portion of inPortions(found, { reply: REPLY })) {
    for (const trace of portion) {
      more = columns.count === limit
      if (!more) columns.add(trace)
    }
  }
  const { names, types, columns: arrays, count } = columns
  return {
    job_id,
    start_time: first?.timestamp.toISOString() ?? null,
    names: [...names.keys()],
    event_types: [...types.keys()],
    columns: arrays,
    count,
    next_after: more ? (arrays.id.at(-1) ?? null) : null,
  }
}

/** Columns as they grow; texts are kept once. */
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
  readonly #startMs: number

  constructor(startMs: number) {
    this.#startMs = startMs
  }

  get count(): number {
    return this.columns.id.length
  }

  add(trace: TraceDocument): void {
    const { columns } = this
    const head = spanHead(trace)
    columns.id.push(trace._id)
    columns.parent.push(trace.parent_id ?? 0)
    columns.name.push(indexIn(this.names, head.name))
    columns.agent.push(indexIn(this.names, trace.agent_name))
    columns.type.push(indexIn(this.types, trace.event_type))
    columns.start.push(head.startMs - this.#startMs)
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
