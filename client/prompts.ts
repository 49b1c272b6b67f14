import type { CallOptions, QueryOf, Schema } from './endpoint-types.ts'
import { List } from './list.ts'
import type { ClientParts } from './parts.ts'
import { randomKey } from './random-key.ts'
import {
  traceStream,
  type LiveStreamEvent,
  type LiveStreamOptions,
  type TraceStreamEvent,
  type TraceStreamOptions,
} from './trace-stream.ts'
import { waitForEnd, type WaitOptions } from './wait-for-end.ts'

/** Prompts: executions of an agent or a chain of agents. All methods accept the id of any execution. */
export class Prompts {
  readonly #parts: ClientParts

  constructor(parts: ClientParts) {
    this.#parts = parts
  }

  /** Starts an execution and resolves at once. */
  create(body: Schema<'PromptRequest'>, options: CallOptions = {}): Promise<Schema<'PromptCreated'>> {
    const idempotencyKey = options.idempotencyKey ?? randomKey()
    return this.#parts.transport.request('post', '/api/prompts', { body, ...options, idempotencyKey })
  }

  /** Starts a chain: the output of each agent is the input of the next. */
  chain(
    agents: [string, ...string[]],
    inputs: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<Schema<'PromptCreated'>> {
    return this.create({ prompt_name: agents[0], inputs, mode: 'sequential', agents }, options)
  }

  /** One execution with inputs, outputs and token usage. */
  get(id: string, options: CallOptions = {}): Promise<Schema<'Prompt'>> {
    return this.#parts.transport.request('get', '/api/prompts/{prompt_id}', { path: { prompt_id: id }, ...options })
  }

  /** Prompts, newest first. */
  list(query: QueryOf<'/api/prompts', 'get'> = {}, options: CallOptions = {}): List<Schema<'PromptItem'>> {
    const { transport } = this.#parts
    return new List(async (page) => {
      const response = await transport.request('get', '/api/prompts', { query: { ...query, ...page }, ...options })
      return { items: response.prompts, response }
    }, query)
  }

  /** Cancels a running execution; `ok` is false when it had already ended. */
  cancel(id: string, options: CallOptions = {}): Promise<Schema<'PromptCanceled'>> {
    const request = { path: { prompt_id: id }, ...options }
    return this.#parts.transport.request('post', '/api/prompts/{prompt_id}/cancel', request)
  }

  /** Streams the events of an execution from the first on, each once, and reconnects when needed; the last item is `complete`. */
  stream(id: string, options?: TraceStreamOptions): AsyncGenerator<TraceStreamEvent, void, undefined>
  stream(id: string, options: LiveStreamOptions): AsyncGenerator<LiveStreamEvent, void, undefined>
  stream(
    id: string,
    options: TraceStreamOptions | LiveStreamOptions = {},
  ): AsyncGenerator<LiveStreamEvent, void, undefined> {
    const path = `/ws/prompts/${encodeURIComponent(id)}`
    const { addresses } = this.#parts
    return traceStream({ addresses, path, lookUp: () => this.get(id, { signal: options.signal }) }, options)
  }

  /**
   * Resolves with the execution when it has ended with any status. Waits on the stream and does not poll.
   * @throws TroupeError with reason `timeout` after `timeoutMs`; the execution then continues
   */
  async wait(id: string, options: WaitOptions = {}): Promise<Schema<'Prompt'>> {
    await waitForEnd((streamOptions) => this.stream(id, streamOptions), id, options)
    return this.get(id, { signal: options.signal })
  }

  /** Starts an execution and resolves with it when it has ended, with any status. */
  async run(body: Schema<'PromptRequest'>, options: CallOptions & WaitOptions = {}): Promise<Schema<'Prompt'>> {
    const { timeoutMs, onConnection, ...call } = options
    const { prompt_id: id } = await this.create(body, call)
    return this.wait(id, { timeoutMs: timeoutMs ?? undefined, onConnection, signal: options.signal })
  }
}
