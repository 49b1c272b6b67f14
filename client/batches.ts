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
   * Submits any number of tasks in chunks. With a `batchId` of one's own the same call, made again after whatever
   * interrupted it, goes on where the service stands: no task is lost, and none is submitted twice.
   * @param tasks - the same tasks in the same order at each call; read as they are needed
   * @throws TroupeError with status 409 when the tasks are not those that were submitted under this id before
   */
  submitAll(agent: string, tasks: Tasks, options: SubmitAllOptions = {}): Promise<SubmitProgress> {
    return submitAll(this.#parts.transport, agent, tasks, options)
  }

  /** Adds tasks to a batch; one that has ended runs again. */
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
   * Adds any number of tasks to a batch in chunks. The same call, made again after whatever interrupted it, adds nothing twice for
   * as long as the service keeps keys, a day.
   * @param tasks - the same tasks in the same order at each call; read as they are needed
   */
  addAll(id: string, agent: string, tasks: Tasks, options: AddAllOptions): Promise<SubmitProgress> {
    return addAll(this.#parts.transport, [id, agent], tasks, options)
  }

  /** One batch; with `results` false without its results, which makes it lighter. */
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

  /** Cancels a batch with every task that has not ended. */
  cancel(id: string, options: CallOptions = {}): Promise<ResponseOf<'/api/batches/{batch_id}/cancel', 'post'>> {
    return this.#parts.transport.request('post', '/api/batches/{batch_id}/cancel', {
      path: { batch_id: id },
      ...options,
    })
  }

  /** The events of all tasks, live, each once, across lost connections; the last is `complete`. */
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

  /** Resolves when every task has ended. @throws TroupeError with reason `timeout`; the batch goes on */
  async wait(id: string, options: WaitOptions = {}): Promise<BatchEnd> {
    const { status, outputs } = await waitForEnd((streamOptions) => this.stream(id, streamOptions), id, options)
    return { batch_id: id, status, summary: outputs.summary as Schema<'BatchSummary'> }
  }

  /** The results of the tasks that have ended, in the order of submission, with what is in the object store fetched. */
  results(id: string, options: ResultsOptions = {}): AsyncGenerator<BatchResult, void, undefined> {
    return batchResults(this.#parts.transport, id, options)
  }
}
