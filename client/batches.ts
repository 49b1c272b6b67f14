import { addAll, type AddAllOptions } from './add-all.ts'
import { batchResults, type BatchResult, type ResultsOptions } from './batch-results.ts'
import type { CallOptions, QueryOf, ResponseOf, Schema } from './endpoint-types.ts'
import { List } from './list.ts'
import type { ClientParts } from './parts.ts'
import { randomKey } from './random-key.ts'
import { submitAll, type SubmitAllOptions, type SubmitProgress } from './submit-all.ts'
import type { Tasks } from './task-chunks.ts'
import {
  traceStream,
  type LiveStreamEvent,
  type LiveStreamOptions,
  type TraceStreamEvent,
  type TraceStreamOptions,
} from './trace-stream.ts'
import { waitForEnd, type WaitOptions } from './wait-for-end.ts'
import { wholeBatch, type BatchQuery } from './whole-batch.ts'

/** A batch that has ended. */
export interface BatchEnd {
  batch_id: string
  status: string
  summary: Schema<'BatchSummary'>
}

type Submission = Omit<Schema<'BatchRequest'>, 'wait'>

/** Batches: many tasks that run in parallel under one id. */
export class Batches {
  readonly #parts: ClientParts

  constructor(parts: ClientParts) {
    this.#parts = parts
  }

  /** Submits tasks in one request; {@link Batches.submitAll} takes any number of them. */
  submit(agent: string, body: Submission, options: CallOptions = {}): Promise<Schema<'BatchSubmitted'>> {
    const idempotencyKey = options.idempotencyKey ?? randomKey()
    const request = { path: { agent_name: agent }, body, ...options, idempotencyKey }
    return this.#parts.transport.request('post', '/api/agents/{agent_name}/batch', request)
  }

  /**
   * Submits any number of tasks in chunks. If you pass a `batchId`, you can repeat an interrupted call: it continues
   * with the tasks that the service does not have yet, so no task is lost or submitted twice.
   * @param tasks - the same tasks in the same order at each call; read lazily
   * @throws TroupeError with status 409 when other tasks were submitted with this id before
   */
  submitAll(agent: string, tasks: Tasks, options: SubmitAllOptions = {}): Promise<SubmitProgress> {
    return submitAll(this.#parts.transport, agent, tasks, options)
  }

  /** Adds tasks to a batch; a completed batch becomes running again. */
  addTasks(
    id: string,
    body: Omit<Schema<'AddTasksRequest'>, 'wait'>,
    options: CallOptions = {},
  ): Promise<Schema<'TasksAdded'>> {
    const idempotencyKey = options.idempotencyKey ?? randomKey()
    const request = { path: { batch_id: id }, body, ...options, idempotencyKey }
    return this.#parts.transport.request('post', '/api/batches/{batch_id}/add-tasks', request)
  }

  /**
   * Adds any number of tasks to a batch in chunks. You can repeat an interrupted call within a day, the time for which the
   * service stores keys: no task is added twice.
   * @param tasks - the same tasks in the same order at each call; read lazily
   */
  addAll(id: string, agent: string, tasks: Tasks, options: AddAllOptions): Promise<SubmitProgress> {
    return addAll(this.#parts.transport, [id, agent], tasks, options)
  }

  /** One batch; `results: false` omits the results, which makes the response smaller. */
  get(id: string, query: BatchQuery = {}, options: CallOptions = {}): Promise<Schema<'Batch'>> {
    return wholeBatch(this.#parts.transport, id, query, options)
  }

  /** Batches, newest first. */
  list(query: QueryOf<'/api/batches', 'get'> = {}, options: CallOptions = {}): List<Schema<'BatchItem'>> {
    const { transport } = this.#parts
    return new List(async (page) => {
      const response = await transport.request('get', '/api/batches', { query: { ...query, ...page }, ...options })
      return { items: response.batches, response }
    }, query)
  }

  /** Cancels a batch and all of its unfinished tasks. */
  cancel(id: string, options: CallOptions = {}): Promise<ResponseOf<'/api/batches/{batch_id}/cancel', 'post'>> {
    return this.#parts.transport.request('post', '/api/batches/{batch_id}/cancel', {
      path: { batch_id: id },
      ...options,
    })
  }

  /** Streams the live events of all tasks, each once, and reconnects when needed; the last item is `complete`. */
  stream(id: string, options?: TraceStreamOptions): AsyncGenerator<TraceStreamEvent, void, undefined>
  stream(id: string, options: LiveStreamOptions): AsyncGenerator<LiveStreamEvent, void, undefined>
  stream(
    id: string,
    options: TraceStreamOptions | LiveStreamOptions = {},
  ): AsyncGenerator<LiveStreamEvent, void, undefined> {
    const path = `/ws/batches/${encodeURIComponent(id)}`
    const lookUp = (): Promise<unknown> => this.get(id, { results: false }, { signal: options.signal })
    return traceStream({ addresses: this.#parts.addresses, path, lookUp }, options)
  }

  /** Resolves when all tasks have ended. @throws TroupeError with reason `timeout`; the batch then continues */
  async wait(id: string, options: WaitOptions = {}): Promise<BatchEnd> {
    const { status, outputs } = await waitForEnd((streamOptions) => this.stream(id, streamOptions), id, options)
    return { batch_id: id, status, summary: outputs.summary as Schema<'BatchSummary'> }
  }

  /** The results of the ended tasks in the order of submission; fetches large results from the object store. */
  results(id: string, options: ResultsOptions = {}): AsyncGenerator<BatchResult, void, undefined> {
    return batchResults(this.#parts.transport, id, options)
  }
}
