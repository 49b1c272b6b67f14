import { JsonText, type Schema } from './endpoint-types.ts'
import { randomKey } from './random-key.ts'
import { MAX_CHUNK, taskChunks, type TaskChunk, type Tasks } from './task-chunks.ts'
import type { Transport } from './transport.ts'
import { TroupeError } from './troupe-error.ts'
import { wholeBatch } from './whole-batch.ts'

/** Progress of a submission. */
export interface SubmitProgress {
  batch_id: string
  /** Number of tasks that the service has, including those of an earlier call. */
  submitted: number
  /** Number of tasks that an earlier call had submitted. */
  skipped: number
}

/** Options of a submission of any number of tasks. */
export interface SubmitAllOptions {
  /** Id of the batch: 1 to 128 of A–Z a–z 0–9 . _ -; a random one by default. */
  batchId?: string | undefined
  /** Maximum number of tasks per request, up to 1,000 (default 1,000). */
  chunk?: number | undefined
  /** Called before the first chunk and after each chunk. */
  onProgress?: ((progress: SubmitProgress) => void) | undefined
  /** Stops after the chunk in progress; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Number of retries of each request (default 8). */
  retries?: number | undefined
  /** Options that apply to all tasks; the budget of a batch is that of its first request. */
  body?: Pick<Schema<'BatchRequest'>, 'budget' | 'task_budget' | 'no_cache'> | undefined
}

const RETRIES = 8
const CONFLICT = 409

/**
 * Submits tasks in chunks, one after the other. After an interruption, continues after the tasks that the batch already has.
 * The key of each chunk consists of the batch id and the position of its first task, so that a chunk that is sent again
 * while its first copy is being stored gets the same response.
 */
export async function submitAll(
  transport: Transport,
  agent: string,
  tasks: Tasks,
  options: SubmitAllOptions,
): Promise<SubmitProgress> {
  const { batchId = randomKey(), chunk = MAX_CHUNK, onProgress, signal, retries = RETRIES, body } = options
  if (!(chunk >= 1 && chunk <= MAX_CHUNK)) throw new RangeError(`chunk must be a number from 1 to ${MAX_CHUNK}`)
  const known = await knownTasks(transport, batchId, { signal, retries })
  const skipped = known.length
  let submitted = skipped
  const report = (): void => onProgress?.({ batch_id: batchId, submitted, skipped })
  report()
  const target = { transport, agent, batchId, retries, head: { ...body, batch_id: batchId } }
  const fresh = withoutKnown(tasks, known, batchId)
  for await (const taskChunk of taskChunks(fresh, { from: skipped, maxTasks: Math.floor(chunk) })) {
    signal?.throwIfAborted()
    await submitChunk(target, taskChunk)
    submitted = taskChunk.offset + taskChunk.texts.length
    report()
  }
  return { batch_id: batchId, submitted, skipped }
}

interface Target {
  transport: Transport
  agent: string
  batchId: string
  retries: number
  /** The fields of each request, except its tasks. */
  head: Partial<Schema<'BatchRequest'>>
}

async function submitChunk(
  { transport, agent, batchId, retries, head }: Target,
  { offset, texts }: TaskChunk,
): Promise<void> {
  const body = new JsonText(`${JSON.stringify(head).slice(0, -1)},"tasks":[${texts.join(',')}]}`)
  const path = { agent_name: agent }
  const idempotencyKey = `submit-all ${batchId} ${offset}`
  try {
    // The caller's signal does not abort the request, so that the outcome of each chunk is known when the call ends.
    await transport.request('post', '/api/agents/{agent_name}/batch', { path, body, idempotencyKey, retries })
  } catch (error) {
    if (!(error instanceof TroupeError) || error.status !== CONFLICT) throw error
    throw differs(batchId, offset, error)
  }
}

/** The tasks that the batch does not have yet. @throws TroupeError when the existing tasks differ from the first given ones */
async function* withoutKnown(tasks: Tasks, known: unknown[], batchId: string): AsyncGenerator<Record<string, unknown>> {
  let index = 0
  for await (const task of tasks) {
    if (index >= known.length) yield task
    else if (JSON.stringify(task) !== JSON.stringify(known[index])) throw differs(batchId, index)
    index++
  }
  if (index < known.length) throw differs(batchId, index)
}

function differs(batchId: string, index: number, cause?: TroupeError): TroupeError {
  return new TroupeError(
    'response',
    `Batch "${batchId}" contains different tasks, from task ${index + 1} on. Use another batch id for these tasks.`,
    { status: CONFLICT, requestId: cause?.requestId ?? null, cause },
  )
}

/** The tasks of a batch; none if it does not exist yet. */
async function knownTasks(
  transport: Transport,
  batchId: string,
  options: { signal: AbortSignal | undefined; retries: number },
): Promise<unknown[]> {
  try {
    return (await wholeBatch(transport, batchId, { results: false, ids: false }, options)).inputs.tasks
  } catch (error) {
    if (error instanceof TroupeError && error.status === 404) return []
    throw error
  }
}
