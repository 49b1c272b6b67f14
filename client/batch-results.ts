import type { Schema } from './endpoint-types.ts'
import { mapAhead } from './map-ahead.ts'
import type { Transport } from './transport.ts'
import { wholeBatch } from './whole-batch.ts'

type Task = Schema<'Batch'>['outputs']['results'][string]

/** The result of one task of a batch. */
export interface BatchResult {
  /** Position in the order of submission, starting at 0. */
  index: number
  task_id: string
  /** The inputs of the task. */
  inputs: Record<string, unknown>
  status: Task['status']
  /** `{status, result, error}`. */
  response: Record<string, unknown>
}

/** Selects results. */
export interface ResultsOptions {
  /** Only tasks with this status. */
  status?: Task['status'] | undefined
  signal?: AbortSignal | undefined
}

/** How many responses are fetched from the object store concurrently. */
const FETCHED_AT_ONCE = 8

/** The results of the ended tasks of a batch, in the order of submission. */
export async function* batchResults(
  transport: Transport,
  id: string,
  { status, signal }: ResultsOptions,
): AsyncGenerator<BatchResult, void, undefined> {
  const batch = await wholeBatch(transport, id, {}, { signal })
  const resolve = async (result: BatchResult): Promise<BatchResult> => {
    if (result.response.offloaded !== true) return result
    const path = { task_id: result.task_id }
    const { data } = await transport.request('get', '/api/responses/{task_id}/resolved', { path, signal })
    return { ...result, response: { status: result.status, result: data, error: null } }
  }
  yield* mapAhead(ended(batch, status), FETCHED_AT_ONCE, resolve)
}

function* ended({ task_ids, inputs, outputs }: Schema<'Batch'>, status?: Task['status']): Generator<BatchResult> {
  for (const [index, task_id] of task_ids.entries()) {
    const task = outputs.results[task_id]
    if (task === undefined || (status !== undefined && task.status !== status)) continue
    yield { index, task_id, inputs: inputs.tasks[index] ?? {}, status: task.status, response: task.response }
  }
}
