import type { AggregationCursor, ClientSession, Filter } from 'mongodb'
import type { BatchGrid, BatchTask, TaskState } from '../../contracts/batch-tasks.ts'
import { decodeNumber, pageOf, type PageRequest } from '../http/cursor.ts'
import { readPage } from './page-of-list.ts'
import { costView } from '../../core/cost.ts'
import { tokenUsage } from '../../core/usage.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import type { BatchDocument, ExecutionDocument } from '../../store/documents.ts'
import { batchSummary } from '../views/batch-items.ts'
import { batchBudget } from '../views/budget.ts'
import { errorStart } from '../views/job-list-item.ts'
import { RUNNING } from '../../store/open.ts'
import type { EndStatus } from '../../core/execution.ts'

/** How many task states are read in one reply, whose maximum size is 16 MB. */
const TOGETHER = 100_000
/** Read concern of all reads in a snapshot session, which override the client's default. */
const SNAPSHOT = { level: 'snapshot' } as const

/** Reads the state of every task. @param session - the snapshot session in which the batch was read. */
export async function readGrid(store: Store, batch: BatchDocument, session: ClientSession): Promise<BatchGrid> {
  const { _id: batch_id, task_count } = batch
  const options = { session, readConcern: SNAPSHOT }
  // Reads only open and failed tasks; all others have succeeded. So little is read of a successful batch.
  const letters = Array.from({ length: task_count }, () => 's')
  const counts = { w: 0, r: 0, s: 0, e: 0, c: 0 }
  const fill = async (found: AggregationCursor<{ _id: string; places: number[] }>) => {
    for await (const { _id: letter, places } of found) for (const place of places) letters[place] = letter
  }
  for (let from = 0; from < task_count; from += TOGETHER) {
    const tasks = { batch_id, batch_index: { $gte: from, $lt: from + TOGETHER } }
    // Grouped by the server: one document per task would cost ten times as much.
    const placesBy = (_id: object) => ({ $group: { _id, places: { $push: '$batch_index' } } })
    const begun = { $cond: [{ $eq: ['$started', true] }, 'r', 'w'] }
    const failed = { $cond: [{ $eq: ['$trouble', 'failed'] }, 'e', 'c'] }
    const troubled = { ...tasks, trouble: { $in: ['failed', 'canceled'] } }
    await fill(store.open.aggregate([{ $match: { ...tasks, ...RUNNING } }, placesBy(begun)], options))
    await fill(store.executions.aggregate([{ $match: troubled }, placesBy(failed)], options))
  }
  for (const letter of letters) counts[letter as keyof typeof counts] += 1
  return {
    batch_id: batch._id,
    agent_name: batch.agent_name,
    status: batch.status,
    created_at: batch.created_at.toISOString(),
    completed_at: batch.completed_at?.toISOString() ?? null,
    revived_at: batch.revived_at?.toISOString() ?? null,
    summary: batchSummary(batch),
    waiting: counts.w,
    running: counts.r,
    canceled: counts.c,
    token_usage: tokenUsage(batch.usage ?? {}),
    cost: costView(batch.usage),
    budget: await batchBudget({ store }, batch),
    tasks: letters.join(''),
  }
}

interface TaskQuery extends PageRequest {
  state?: TaskState | undefined
  status?: TaskState | undefined
}

const taskFields = {
  prompt_name: 1,
  status: 1,
  created_at: 1,
  started_at: 1,
  completed_at: 1,
  usage: 1,
  error: 1,
  batch_index: 1,
} as const

type TaskFields = Pick<ExecutionDocument, '_id' | keyof typeof taskFields>

/** A page of the tasks of a batch, in the order of submission. */
export async function listTasks(
  { executions, open }: Store,
  batchId: string,
  query: TaskQuery,
): Promise<{ tasks: BatchTask[]; next_cursor: string | null }> {
  const { state, status, limit, cursor } = query
  const list = `tasks of ${batchId}`
  const after = cursor === undefined ? undefined : decodeNumber(list, cursor)
  if (state !== undefined && status !== undefined && state !== status) return { tasks: [], next_cursor: null }
  const wanted = state ?? status
  const behind = { batch_id: batchId, ...(after === undefined ? {} : { batch_index: { $gt: after } }) }
  const sort = { batch_index: 1, _id: 1 } as const
  if (wanted === 'waiting' || wanted === 'running') {
    const begun = { ...RUNNING, started: wanted === 'running' ? (true as const) : { $exists: false } }
    const { items, next_cursor } = page(await readPage(open.find({ ...behind, ...begun }).sort(sort), query))
    const ids = { _id: { $in: items.map(({ _id }) => _id) } }
    const found = await executions.find<TaskFields>(ids, { projection: taskFields }).toArray()
    // Skips tasks that have changed their state between the two reads.
    const tasks = found.map(taskView).filter((task) => task.state === wanted)
    return { tasks: tasks.toSorted((one, other) => one.index - other.index), next_cursor }
  }
  const found = executions.find<TaskFields>({ ...behind, ...ended(wanted) }, { projection: taskFields }).sort(sort)
  const { items, next_cursor } = page(await readPage(found, query))
  return { tasks: items.map(taskView), next_cursor }

  function page<Item extends { batch_index?: number }>(items: Item[]) {
    return pageOf(list, items, limit, ({ batch_index = 0 }) => [batch_index])
  }
}

function ended(status: EndStatus | undefined): Filter<ExecutionDocument> {
  if (status === undefined) return {}
  return status === 'completed' ? { status } : { trouble: status }
}

function taskView(task: TaskFields): BatchTask {
  const { status, started_at, completed_at } = task
  const ended = started_at !== undefined && completed_at !== null
  return {
    task_id: task._id,
    index: task.batch_index ?? 0,
    agent: task.prompt_name,
    state: status === 'running' && started_at === undefined ? 'waiting' : status,
    created_at: task.created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    completed_at: completed_at?.toISOString() ?? null,
    duration_ms: ended ? Math.max(0, completed_at.getTime() - started_at.getTime()) : null,
    total_tokens: tokenUsage(task.usage).total_tokens,
    error: errorStart(task.error),
  }
}
