import { randomUUID } from 'node:crypto'
import type { Store } from '../store/connect.ts'
import type { ExecutionDocument } from '../store/documents.ts'

const AT_ONCE = 5_000
const SPAN_BYTES = 15_000_000

/** A batch that has ended, every hundredth task failed. */
export async function seedBatch(store: Store, tasks: number): Promise<void> {
  const { executions, batches } = store
  const at = new Date()
  const task = (index: number): ExecutionDocument => ({
    _id: randomUUID(),
    kind: 'task',
    prompt_name: 'seeded',
    mode: 'single',
    agents: [{ name: 'seeded' }],
    status: index % 100 === 0 ? 'failed' : 'completed',
    inputs: { json: '{}' },
    outputs: null,
    error: index % 100 === 0 ? 'seeded' : null,
    created_at: at,
    started_at: at,
    completed_at: at,
    usage: {},
    batch_id: 'bench',
    batch_index: index,
  })
  for (let from = 0; from < tasks; from += AT_ONCE) {
    await executions.insertMany(
      Array.from({ length: AT_ONCE }, (_, index) => task(from + index)),
      { ordered: false },
    )
  }
  const failed = tasks / 100
  const counts = { task_count: tasks, succeeded: tasks - failed, failed }
  await batches.insertOne({
    _id: 'bench',
    agent_name: 'seeded',
    status: 'completed',
    ...counts,
    created_at: at,
    completed_at: at,
  })
  await store.counters.updateOne({ _id: 'submitted-0' }, { $inc: { submitted: tasks + 1 } }, { upsert: true })
}

/** Makes one event of a trace as large as events can be; its last key is `the-last-key`. @returns its id */
export async function seedLargeEvent({ traces }: Store, job_id: string): Promise<number> {
  const event = await traces.findOne({ job_id, event_type: 'tool_call' }, { sort: { _id: 1 } })
  const items: Record<string, string>[] = []
  for (let bytes = 0; bytes < SPAN_BYTES; bytes += 120) items.push({ id: randomUUID(), text: 'y'.repeat(60) })
  const result = { items, last: { 'the-last-key': 1 } }
  const payload = JSON.stringify({ tool_name: 'large', parameters: {}, result, status: 'success', duration_ms: 1 })
  await traces.updateOne({ _id: event?._id ?? -1 }, { $set: { payload } })
  return event?._id ?? -1
}
