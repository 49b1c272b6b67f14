import type { CallOptions, QueryOf, ResponseOf, Schema } from './endpoint-types.ts'
import { List } from './list.ts'
import type { ClientParts } from './parts.ts'
import { randomKey } from './random-key.ts'

/** The registered agents. */
export class Agents {
  readonly #parts: ClientParts

  constructor(parts: ClientParts) {
    this.#parts = parts
  }

  /** Agents by name. */
  list(query: QueryOf<'/api/agents', 'get'> = {}, options: CallOptions = {}): List<Schema<'Agent'>> {
    const { transport } = this.#parts
    return new List(async (page) => {
      const response = await transport.request('get', '/api/agents', { query: { ...query, ...page }, ...options })
      return { items: response.agents, response }
    }, query)
  }

  /** The tools of an agent, as its model receives them. */
  tools(name: string, options: CallOptions = {}): Promise<ResponseOf<'/api/agents/{agent_name}/tools', 'get'>> {
    const request = { path: { agent_name: name }, ...options }
    return this.#parts.transport.request('get', '/api/agents/{agent_name}/tools', request)
  }

  /**
   * Sends a message and resolves with the response, or with status `timeout` after `timeout` seconds (default 30). The task then
   * continues; get its response with {@link Jobs.response} later. With `wait: false` the call resolves at once.
   */
  chat(
    name: string,
    message: string,
    body: Omit<Schema<'ChatRequest'>, 'message'> = {},
    options: CallOptions = {},
  ): Promise<Schema<'ChatAnswer'>> {
    const idempotencyKey = options.idempotencyKey ?? randomKey()
    const request = { path: { agent_name: name }, body: { message, ...body }, timeoutMs: null, ...options }
    return this.#parts.transport.request('post', '/api/agents/{agent_name}/chat', { ...request, idempotencyKey })
  }
}
