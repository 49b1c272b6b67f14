import type { ClientSession, Filter } from 'mongodb'
import type { BatchGrid, BatchTask, TaskState } from '../../contracts/batch-tasks.ts'
import { decodeNumber, pageOf, type PageRequest } from '../http/cursor.ts'
import { readPage } from './page-of-list.ts'
import { costView } from '../../core/cost.ts'
import { tokenUsage } from '../../core/usage.ts'
import type { Store } from '../../store/connect.ts'
import type { ExecutionStatus } from '../../core/execution.ts'
import type { BatchDocument, ExecutionDocument } from '../../store/documents.ts'
import { batchSummary } from '../views/batch-items.ts'
import { batchBudget } from '../views/budget.ts'
import { errorStart } from '../views/job-list-item.ts'

const LIST = 'batch-tasks'
/** Tasks whose states are read in one reply, which holds 16 MB. */
const TOGETHER = 100_000
/** Of every read of a session that sees one moment; the client's own is another. */
const SNAPSHOT = { level: 'snapshot' } as const
const LETTERS: Record<ExecutionStatus, string> = { running: 'w', completed: 's', failed: 'e', canceled: 'c' }

/** The state of every task. @param session - reads as of the moment in which the batch was read. */
export async function readGrid(store: Store, batch: BatchDocument, session: ClientSession): Promise<BatchGrid> {
  const letters: string[] = []
  const counts = { w: 0, r: 0, s: 0, e: 0, c: 0 }
  for (let from = 0; from < batch.task_count; from += TOGETHER) {
    for (const status of await statusesOf(store, batch._id, from, session)) letters.push(LETTERS[status])
  }
  // What has begun is few, however large the batch: it has an index of its own.
  const begun = store.executions.find(
    { batch_id: batch._id, status: 'running', started_at: { $exists: true } },
    { session, readConcern: SNAPSHOT, projection: { _id: 0, batch_index: 1 } },
  )
  for await (const { batch_index = 0 } of begun) letters[batch_index] = 'r'
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

/**
 * The statuses of so many tasks, in order. From the index alone, and grouped by the server: a document for every task would
 * cost ten times as much.
 */
async function statusesOf({ executions }: Store, batch_id: string, from: number, session: ClientSession) {
  const found = executions.aggregate<{ statuses: ExecutionStatus[] }>(
    [
      { $match: { batch_id, batch_index: { $gte: from, $lt: from + TOGETHER } } },
      { $sort: { batch_index: 1, _id: 1 } },
      { $group: { _id: null, statuses: { $push: '$status' } } },
    ],
    { session, readConcern: SNAPSHOT },
  )
  return (await found.toArray())[0]?.statuses ?? []
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

/** A page of a batch's tasks, in the order of submission. */
export async function listTasks(
  { executions }: Store,
  batchId: string,
  query: TaskQuery,
): Promise<{ tasks: BatchTask[]; next_cursor: string | null }> {
  const { state, status, limit, cursor } = query
  const after = cursor === undefined ? undefined : decodeNumber(LIST, cursor)
  if (state !== undefined && status !== undefined && state !== status) return { tasks: [], next_cursor: null }
  const found = executions
    .find<TaskFields>(
      {
        batch_id: batchId,
        ...inState(state ?? status),
        ...(after === undefined ? {} : { batch_index: { $gt: after } }),
      },
      { projection: taskFields },
    )
    .sort({ batch_index: 1, _id: 1 })
  const { items, next_cursor } = pageOf(LIST, await readPage(found, query), limit, ({ batch_index = 0 }) => [
    batch_index,
  ])
  return { tasks: items.map(taskView), next_cursor }
}

function inState(state: TaskState | undefined): Filter<ExecutionDocument> {
  if (state === undefined) return {}
  if (state === 'waiting') return { status: 'running', started_at: { $exists: false } }
  if (state === 'running') return { status: 'running', started_at: { $exists: true } }
  return { status: state }
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
