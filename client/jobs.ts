import type { CallOptions, QueryOf, ResponseOf, Schema } from './endpoint-types.ts'
import { List } from './list.ts'
import type { ClientParts } from './parts.ts'
import { randomKey } from './random-key.ts'

/** Executions of every kind: prompts, jobs, tasks of batches and chat messages. */
export class Jobs {
  readonly #parts: ClientParts

  constructor(parts: ClientParts) {
    this.#parts = parts
  }

  /** Runs an agent and resolves with its result when it has ended. A lost connection does not start it twice. */
  run(body: Schema<'JobRequest'>, options: CallOptions = {}): Promise<Schema<'JobEnded'>> {
    const idempotencyKey = options.idempotencyKey ?? randomKey()
    return this.#parts.transport.request('post', '/api/jobs', { body, timeoutMs: null, ...options, idempotencyKey })
  }

  /** One execution with inputs, outputs and token usage. */
  get(id: string, options: CallOptions = {}): Promise<Schema<'Job'>> {
    return this.#parts.transport.request('get', '/api/jobs/{job_id}', { path: { job_id: id }, ...options })
  }

  /** Executions, newest first. */
  list(query: QueryOf<'/api/jobs', 'get'> = {}, options: CallOptions = {}): List<Schema<'JobItem'>> {
    const { transport } = this.#parts
    return new List(async (page) => {
      const response = await transport.request('get', '/api/jobs', { query: { ...query, ...page }, ...options })
      return { items: response.jobs, response }
    }, query)
  }

  /** Cancels a running execution; `ok` is false when it had already ended. */
  cancel(id: string, options: CallOptions = {}): Promise<Schema<'JobCanceled'>> {
    return this.#parts.transport.request('post', '/api/jobs/{job_id}/cancel', { path: { job_id: id }, ...options })
  }

  /** Gets the stored result of an execution or, with `reexecute`, runs a new execution with the same inputs and waits for its end. */
  replay(
    id: string,
    body: Schema<'ReplayRequest'> = {},
    options: CallOptions = {},
  ): Promise<ResponseOf<'/api/jobs/{job_id}/replay', 'post'>> {
    const idempotencyKey = options.idempotencyKey ?? randomKey()
    const request = { path: { job_id: id }, body, timeoutMs: null, ...options, idempotencyKey }
    return this.#parts.transport.request('post', '/api/jobs/{job_id}/replay', request)
  }

  /** The full response of an ended execution, wherever it is stored. */
  response(id: string, options: CallOptions = {}): Promise<Schema<'ResolvedResponse'>> {
    const request = { path: { task_id: id }, ...options }
    return this.#parts.transport.request('get', '/api/responses/{task_id}/resolved', request)
  }
}
