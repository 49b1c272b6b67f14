import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** What the server does with one request. */
export type ScriptedAnswer =
  | {
      text?: string
      /** `arguments` as text is sent as it is, so that it can be malformed. */
      toolCalls?: { id?: string; name: string; arguments: Record<string, unknown> | string }[]
      /** null leaves usage out of the answer; default 10 and 5. */
      usage?: { prompt_tokens: number; completion_tokens: number; cached_tokens?: number } | null
    }
  | { status: number; headers?: Record<string, string>; message?: string }
  /** Never answers. */
  | { hang: true }
  /** Answers 200 with this body, whatever it is. */
  | { raw: string }
  /** Destroys the connection. */
  | { reset: true }

export interface ProviderRequest {
  path: string
  headers: IncomingHttpHeaders
  body: {
    model: string
    messages: Record<string, unknown>[]
    tools?: Record<string, unknown>[]
    [field: string]: unknown
  }
  at: Date
  /** Resolves with the time at which the connection of a request without an answer was closed by the client. */
  closed: Promise<Date>
}

export interface ProviderServer {
  /** Base URL for OPENAI_BASE_URL, OPENAI_COMPATIBLE_BASE_URL, GROQ_BASE_URL and ANTHROPIC_BASE_URL. */
  url: string
  /** Every request so far, in the order of arrival. */
  requests: ProviderRequest[]
  /** Resolves with the request of this index, as soon as it has come. */
  request: (index: number) => Promise<ProviderRequest>
  close: () => Promise<void>
}

/**
 * A provider on a free port of this machine. It speaks OpenAI's chat completions and Anthropic's messages.
 * @param script - the answers in order, or a function that chooses one for each request, at once or later. Past its end the server answers
 * 400, so that a test which calls too often fails.
 */
export async function startProviderServer(
  script: ScriptedAnswer[] | ((request: ProviderRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>),
): Promise<ProviderServer> {
  const requests: ProviderRequest[] = []
  const waiting: { index: number; resolve: (request: ProviderRequest) => void }[] = []
  const server = createServer((incoming, response) => {
    void handle(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function handle(incoming: IncomingMessage, response: ServerResponse) {
    const closed = Promise.withResolvers<Date>()
    response.once('close', () => closed.resolve(new Date()))
    const body = (await json(incoming)) as ProviderRequest['body']
    const path = incoming.url ?? ''
    const request = { path, headers: incoming.headers, body, at: new Date(), closed: closed.promise }
    const index = requests.push(request) - 1
    for (const waiter of waiting) if (waiter.index === index) waiter.resolve(request)
    const scripted = typeof script === 'function' ? await script(request, index) : script[index]
    send(response, request, scripted ?? { status: 400, message: 'The script of the test has no further answer' })
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    request: (index) => {
      const known = requests[index]
      if (known) return Promise.resolve(known)
      return new Promise((resolve) => waiting.push({ index, resolve }))
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function send(response: ServerResponse, request: ProviderRequest, answer: ScriptedAnswer) {
  if ('hang' in answer) return
  if ('reset' in answer) return response.destroy()
  response.setHeader('content-type', 'application/json')
  if ('raw' in answer) return response.end(answer.raw)
  if ('status' in answer) {
    response.writeHead(answer.status, answer.headers)
    const error = { type: 'scripted', message: answer.message ?? `scripted ${answer.status}` }
    return response.end(JSON.stringify({ type: 'error', error }))
  }
  const body = request.path.endsWith('/messages') ? anthropicMessage(request, answer) : chatCompletion(request, answer)
  return response.end(JSON.stringify(body))
}

type Message = Extract<ScriptedAnswer, { text?: string }>

const DEFAULT_USAGE = { prompt_tokens: 10, completion_tokens: 5, cached_tokens: 0 }

function chatCompletion({ body }: ProviderRequest, { text, toolCalls = [], usage = DEFAULT_USAGE }: Message) {
  const calls = toolCalls.map((call, index) => ({
    id: call.id ?? `call_${index}`,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }))
  const message = { role: 'assistant', content: text ?? null, ...(calls.length > 0 && { tool_calls: calls }) }
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: body.model,
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    ...(usage && {
      usage: {
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
        total_tokens: usage.prompt_tokens + usage.completion_tokens,
        prompt_tokens_details: { cached_tokens: usage.cached_tokens ?? 0 },
      },
    }),
  }
}

function anthropicMessage({ body }: ProviderRequest, { text, toolCalls = [], usage }: Message) {
  const { prompt_tokens, completion_tokens, cached_tokens = 0 } = usage ?? DEFAULT_USAGE
  const calls = toolCalls.map((call, index) => ({
    type: 'tool_use',
    id: call.id ?? `toolu_${index}`,
    name: call.name,
    input: call.arguments,
  }))
  return {
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [...(text === undefined ? [] : [{ type: 'text', text }]), ...calls],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: prompt_tokens - cached_tokens,
      output_tokens: completion_tokens,
      cache_read_input_tokens: cached_tokens,
      cache_creation_input_tokens: 0,
    },
  }
}
