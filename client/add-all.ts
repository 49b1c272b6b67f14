import { JsonText, type Schema } from './endpoint-types.ts'
import type { SubmitProgress } from './submit-all.ts'
import { MAX_CHUNK, taskChunks, type Tasks } from './task-chunks.ts'
import type { Transport } from './transport.ts'

/** Options for adding any number of tasks. */
export interface AddAllOptions {
  /**
   * Identifies the tasks and their agent, at most 100 characters. With the same key, the same tasks are added only once
   * within a day, the time for which the service stores keys.
   */
  key: string
  /** Number of tasks in the batch before the call; used to detect what an earlier call has added. */
  taskCount: number
  /** Called after each chunk with the counts of the tasks of this call. */
  onProgress?: ((progress: SubmitProgress) => void) | undefined
  /** Stops after the chunk in progress; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Number of retries of each request (default 8). */
  retries?: number | undefined
  /** Options that apply to all tasks. */
  body?: Pick<Schema<'AddTasksRequest'>, 'task_budget' | 'no_cache'> | undefined
}

const RETRIES = 8

/** Adds tasks to a batch in chunks, one after the other; the key of each chunk consists of the given key and its position. */
export async function addAll(
  transport: Transport,
  [batchId, agent]: [string, string],
  tasks: Tasks,
  { key, taskCount, onProgress, signal, retries = RETRIES, body }: AddAllOptions,
): Promise<SubmitProgress> {
  const head = JSON.stringify({ ...body, agent_name: agent }).slice(0, -1)
  const progress = { batch_id: batchId, submitted: 0, skipped: 0 }
  for await (const { offset, texts } of taskChunks(tasks, { from: 0, maxTasks: MAX_CHUNK })) {
    signal?.throwIfAborted()
    // The caller's signal does not abort the request, so that the outcome of each chunk is known when the call ends.
    const { total_tasks } = await transport.request('post', '/api/batches/{batch_id}/add-tasks', {
      path: { batch_id: batchId },
      body: new JsonText(`${head},"tasks":[${texts.join(',')}]}`),
      idempotencyKey: `add-${batchId}-${key}-${offset}`,
      retries,
    })
    progress.submitted += texts.length
    // For a chunk that was added before, the service repeats the response of that time.
    if (total_tasks <= taskCount) progress.skipped += texts.length
    onProgress?.({ ...progress })
  }
  return progress
}
