import { randomUUID } from 'node:crypto'
import type { Store } from '../../store/mongodb/connect.ts'
import type { EventType } from '../../core/execution.ts'
import type { ExecutionDocument, TraceDocument } from '../../store/documents.ts'
import { buildExecution } from '../build/execution.ts'

const AT_ONCE = 10_000
const EVENT_MS = 5

/** An execution that has ended, with so many events, as the service would have left it. Their ids follow on `firstId`. */
export async function seedTrace(store: Store, events: number, firstId = 1): Promise<string> {
  const id = randomUUID()
  const startMs = Date.now() - events * EVENT_MS
  for (let from = 0; from < events; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, events - from)
    const portion = Array.from({ length }, (_, index) => event(id, from + index, events, firstId, startMs))
    await store.traces.insertMany(portion, { ordered: false })
  }
  await store.counters.updateOne({ _id: 'ledger' }, { $max: { last_trace_id: firstId + events } }, { upsert: true })
  await store.executions.insertOne(execution(id, events, firstId, startMs))
  return id
}

function execution(_id: string, events: number, firstId: number, startMs: number): ExecutionDocument {
  return buildExecution({
    ...{ _id, prompt_name: 'seeded', status: 'completed', last_trace_id: firstId + events - 1 },
    inputs: { json: '{"query":"<img src=x onerror=alert(1)>"}' },
    outputs: { json: '{"text":"done"}' },
    created_at: new Date(startMs),
    started_at: new Date(startMs),
    completed_at: new Date(startMs + events * EVENT_MS),
  })
}

/** A start, then model and tool calls in turn (every hundredth tool fails), then the end. */
function event(job_id: string, index: number, events: number, firstId: number, startMs: number): TraceDocument {
  const [event_type, payload] = contentOf(index, events)
  return {
    _id: firstId + index,
    job_id,
    agent_name: 'seeded',
    event_type,
    parent_id: index === 0 ? null : firstId,
    payload: JSON.stringify(payload),
    timestamp: new Date(startMs + index * EVENT_MS),
  }
}

function contentOf(index: number, events: number): [EventType, object] {
  if (index === 0) return ['task_start', { inputs: {}, worker: 'seed' }]
  if (index === events - 1)
    return ['task_complete', { status: 'completed', duration_ms: index * EVENT_MS, steps: index }]
  if (index % 2 === 1) {
    return ['llm_usage', { provider: 'seed', model: 'seed', prompt_tokens: 3, completion_tokens: 2, duration_ms: 4 }]
  }
  const status = index % 200 === 0 ? 'error' : 'success'
  return ['tool_call', { tool_name: `tool_${index % 7}`, parameters: { index }, result: 'ok', status, duration_ms: 3 }]
}
