import { randomUUID } from 'node:crypto'
import type { Blobs } from '../store/objects/blobs.ts'
import type { Store } from '../store/mongodb/connect.ts'
import type { ExecutionDocument } from '../store/documents.ts'

const AT_ONCE = 5_000
const SPAN_BYTES = 15_000_000
const LARGE_EVERY = 250
const LARGE_CHARACTERS = 150_000
const SMALL_CHARACTERS = 400

/** Inputs of a task of the batch, and outputs of a successful one. */
export const taskInputs = (index: number) => ({ row: index, text: `What is to be done with row ${index}` })
export const taskOutputs = (index: number) => ({
  row: index,
  text: `${index}-`.repeat(LARGE_CHARACTERS).slice(0, index % LARGE_EVERY === 1 ? LARGE_CHARACTERS : SMALL_CHARACTERS),
})

/** An ended batch: every hundredth task has failed, and each 250th result is in the object store. */
export async function seedBatch(store: Store, blobs: Blobs, tasks: number): Promise<void> {
  const { executions, batches } = store
  const at = new Date()
  const pointers = new Map<number, ExecutionDocument['outputs']>()
  for (let index = 1; index < tasks; index += LARGE_EVERY) {
    const key = `responses/bench/${randomUUID()}`
    pointers.set(index, { pointer: await blobs.put(key, JSON.stringify(taskOutputs(index))) })
  }
  const task = (index: number): ExecutionDocument => ({
    _id: randomUUID(),
    kind: 'task',
    prompt_name: 'seeded',
    mode: 'single',
    agents: [{ name: 'seeded' }],
    status: index % 100 === 0 ? 'failed' : 'completed',
    inputs: { json: JSON.stringify(taskInputs(index)) },
    outputs: index % 100 === 0 ? null : (pointers.get(index) ?? { json: JSON.stringify(taskOutputs(index)) }),
    error: index % 100 === 0 ? 'seeded' : null,
    ...(index % 100 === 0 ? { trouble: 'failed' as const } : {}),
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

/** Gives one event of a trace the maximum size; its last key is `the-last-key`. @returns its id */
export async function seedLargeEvent({ traces }: Store, job_id: string): Promise<number> {
  const event = await traces.findOne({ job_id, event_type: 'tool_call' }, { sort: { _id: 1 } })
  const items: Record<string, string>[] = []
  for (let bytes = 0; bytes < SPAN_BYTES; bytes += 120) items.push({ id: randomUUID(), text: 'y'.repeat(60) })
  const result = { items, last: { 'the-last-key': 1 } }
  const payload = JSON.stringify({ tool_name: 'large', parameters: {}, result, status: 'success', duration_ms: 1 })
  await traces.updateOne({ _id: event?._id ?? -1 }, { $set: { payload } })
  return event?._id ?? -1
}
