import { JsonText, type Schema } from './endpoint-types.ts'
import { randomKey } from './random-key.ts'
import { MAX_CHUNK, taskChunks, type TaskChunk, type Tasks } from './task-chunks.ts'
import type { Transport } from './transport.ts'
import { TroupeError } from './troupe-error.ts'
import { wholeBatch } from './whole-batch.ts'

/** How far a submission has come. */
export interface SubmitProgress {
  batch_id: string
  /** Tasks that the service has, those of an earlier call included. */
  submitted: number
  /** Tasks that an earlier call had submitted. */
  skipped: number
}

/** Options of a submission of any number of tasks. */
export interface SubmitAllOptions {
  /** Id of the batch: 1 to 128 of A–Z a–z 0–9 . _ -; a random one when it is left out. */
  batchId?: string | undefined
  /** Most tasks of a request, at most 1,000 (1,000). */
  chunk?: number | undefined
  /** Told before the first chunk and after each. */
  onProgress?: ((progress: SubmitProgress) => void) | undefined
  /** Stops after the chunk that is under way; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Repetitions of each request (8). */
  retries?: number | undefined
  /** What holds for the tasks; the budget of a batch is that of its first request. */
  body?: Pick<Schema<'BatchRequest'>, 'budget' | 'task_budget' | 'no_cache'> | undefined
}

const RETRIES = 8
const CONFLICT = 409

/**
 * Submits tasks in chunks, one after the other. The tasks that the batch has say where to go on after an interruption. Each
 * chunk bears a key made of the batch's id and its first task's place: one that is sent again while its first copy is still
 * being stored gets that copy's response.
 */
export async function submitAll(
  transport: Transport,
  agent: string,
  tasks: Tasks,
  options: SubmitAllOptions,
): Promise<SubmitProgress> {
  const { batchId = randomKey(), chunk = MAX_CHUNK, onProgress, signal, retries = RETRIES, body } = options
  if (!(chunk >= 1 && chunk <= MAX_CHUNK)) throw new RangeError(`chunk must be from 1 to ${MAX_CHUNK}`)
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
  /** The fields of each request beside its tasks. */
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
    // Not ended by the caller's signal: whether a chunk has landed is to be known when the call ends.
    await transport.request('post', '/api/agents/{agent_name}/batch', { path, body, idempotencyKey, retries })
  } catch (error) {
    if (!(error instanceof TroupeError) || error.status !== CONFLICT) throw error
    throw differs(batchId, offset, error)
  }
}

/** The tasks behind those that the batch has already. @throws TroupeError when these are not the first ones given */
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
    `Batch "${batchId}" has other tasks than these, from task ${index + 1} on. Give these a batch id of their own.`,
    { status: CONFLICT, requestId: cause?.requestId ?? null, cause },
  )
}

/** The tasks that a batch has; none for one that does not exist yet. */
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
