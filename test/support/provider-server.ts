import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as after } from 'node:timers/promises'
import { anthropicMessages } from './providers/anthropic-messages.ts'
import { chatCompletions } from './providers/chat-completions.ts'
import { googleGenerate } from './providers/google-generate.ts'
import { openaiResponses } from './providers/openai-responses.ts'
import { Refusal, type Protocol, type WireEvent } from './providers/protocol.ts'
import type { ScriptedAnswer, ScriptedMessage } from './providers/scripted-answer.ts'

export type { ScriptedAnswer } from './providers/scripted-answer.ts'

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
  /** Resolves when the response has ended, or the client has left. */
  closed: Promise<Date>
  /** Whether the client left before the response had ended. */
  left: () => boolean
}

export interface ProviderServer {
  /** Base URL for every provider's `…_BASE_URL`. */
  url: string
  /** Every request so far, in the order of arrival. */
  requests: ProviderRequest[]
  /** Resolves with the request of this index, as soon as it has come. */
  request: (index: number) => Promise<ProviderRequest>
  close: () => Promise<void>
}

/**
 * A provider on a free port of this machine. It streams OpenAI's chat completions and Responses, Anthropic's messages and
 * Google's Gemini, and refuses what those refuse, in their words.
 * @param script - the answers in order, or a function that chooses one, at once or later, for each request that is not refused. Past its end
 * the server answers 400, so that a test which calls too often fails.
 * @param listen - where it listens; on a free port of this machine unless given.
 */
export async function startProviderServer(
  script: ScriptedAnswer[] | ((request: ProviderRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>),
  listen: { host: string; port: number } = { host: '127.0.0.1', port: 0 },
): Promise<ProviderServer> {
  const requests: ProviderRequest[] = []
  const waiting: { index: number; resolve: (request: ProviderRequest) => void }[] = []
  const protocols = [chatCompletions(), openaiResponses(), anthropicMessages(), googleGenerate()]
  const closing = new AbortController()
  const server = createServer((incoming, response) => {
    void handle(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(listen)
  await once(server, 'listening')

  async function handle(incoming: IncomingMessage, response: ServerResponse) {
    const body = (await json(incoming)) as ProviderRequest['body']
    const request = toRequest(incoming, response, body)
    const index = requests.push(request) - 1
    for (const waiter of waiting) if (waiter.index === index) waiter.resolve(request)
    const protocol = protocols.find(({ matches }) => matches(request.path))
    if (!protocol) return void response.writeHead(404).end()
    const refusal = refusalOf(protocol, request)
    const scripted = refusal ?? (typeof script === 'function' ? await script(request, index) : script[index])
    const answer = scripted ?? { status: 400, message: 'The script of the test has no further answer' }
    await send(response, request, answer, protocol, closing.signal)
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
      closing.abort()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function toRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  body: ProviderRequest['body'],
): ProviderRequest {
  const closed = Promise.withResolvers<Date>()
  response.once('close', () => closed.resolve(new Date()))
  const left = () => response.closed && !response.writableFinished
  return { path: incoming.url ?? '', headers: incoming.headers, body, at: new Date(), closed: closed.promise, left }
}

function refusalOf(protocol: Protocol, request: ProviderRequest): ScriptedAnswer | undefined {
  try {
    protocol.check(request)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, message: error.message, ...(error.code && { code: error.code }) }
  }
}

async function send(
  response: ServerResponse,
  request: ProviderRequest,
  answer: ScriptedAnswer,
  protocol: Protocol,
  closing: AbortSignal,
): Promise<void> {
  if ('hang' in answer) return
  if ('reset' in answer) return void response.destroy()
  if ('raw' in answer) {
    return void response.writeHead(200, { 'content-type': 'application/json', ...answer.headers }).end(answer.raw)
  }
  for (const measure of ['requests', 'tokens'] as const) {
    const limit = answer.limits?.[measure]
    const headers = limit ? protocol.limitHeaders(measure, limit) : {}
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  }
  if ('status' in answer) {
    const { status, headers, code, message = `scripted ${status}` } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    return void response.end(JSON.stringify(protocol.errorBody(status, message, code)))
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  await stream(response, protocol.events(request, answer), answer, protocol, closing)
}

async function stream(
  response: ServerResponse,
  events: WireEvent[],
  { firstTokenMs = 0, everyMs = 0, pausesMs = 0, breaks }: ScriptedMessage,
  protocol: Protocol,
  signal: AbortSignal,
): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  const wait = (ms: number) => after(ms, undefined, { signal: AbortSignal.any([signal, left.signal]) }).catch(() => 0)
  const lastThought = events.findLastIndex((event) => THOUGHT.test(asText(event)))
  response.flushHeaders()
  if (firstTokenMs > 0) await wait(firstTokenMs)
  for (const [index, event] of events.slice(0, breaks?.after).entries()) {
    if (response.closed) return
    response.write(asText(event))
    if (everyMs > 0) await wait(everyMs)
    if (pausesMs > 0 && index === lastThought) await wait(pausesMs)
  }
  if (breaks?.by === 'hang') return
  if (breaks?.by === 'reset') {
    // What was written has left before the connection breaks.
    await wait(50)
    return void response.destroy()
  }
  if (breaks?.by === 'fails') response.write(asText(protocol.errorEvent('scripted: overloaded')))
  response.end()
}

/** A piece of reasoning in any of the protocols. */
const THOUGHT = /reasoning_content|thinking_delta|reasoning_summary_text\.delta|"thought":true/

function asText({ event, data }: WireEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
}
