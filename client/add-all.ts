import { JsonText, type Schema } from './endpoint-types.ts'
import type { SubmitProgress } from './submit-all.ts'
import { MAX_CHUNK, taskChunks, type Tasks } from './task-chunks.ts'
import type { Transport } from './transport.ts'

/** Options of adding any number of tasks. */
export interface AddAllOptions {
  /**
   * Stands for the tasks and their agent, at most 100 characters: under the same key the same tasks are added once for as long as
   * the service keeps keys, a day.
   */
  key: string
  /** How many tasks the batch has before: tells what an earlier call has added. */
  taskCount: number
  /** Told after each chunk; counts the tasks of this call. */
  onProgress?: ((progress: SubmitProgress) => void) | undefined
  /** Stops after the chunk that is under way; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Repetitions of each request (8). */
  retries?: number | undefined
  /** What holds for the tasks. */
  body?: Pick<Schema<'AddTasksRequest'>, 'task_budget' | 'no_cache'> | undefined
}

const RETRIES = 8

/** Adds tasks to a batch in chunks, one after the other; each chunk bears a key made of the given one and its place. */
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
    // Not ended by the caller's signal: whether a chunk has landed is to be known when the call ends.
    const { total_tasks } = await transport.request('post', '/api/batches/{batch_id}/add-tasks', {
      path: { batch_id: batchId },
      body: new JsonText(`${head},"tasks":[${texts.join(',')}]}`),
      idempotencyKey: `add-${batchId}-${key}-${offset}`,
      retries,
    })
    progress.submitted += texts.length
    // What was added before is answered as it was then.
    if (total_tasks <= taskCount) progress.skipped += texts.length
    onProgress?.({ ...progress })
  }
  return progress
}
