import {
  argumentsText,
  demand,
  demandOutputLimit,
  demandStrict,
  pieces,
  sign,
  type Protocol,
  type WireEvent,
  type WireRequest,
} from './protocol.ts'
import { DEFAULT_USAGE, type ScriptedLimit, type ScriptedMessage } from './scripted-answer.ts'

interface Block {
  type: string
  id?: string
  tool_use_id?: string
  text?: string
  thinking?: string
  signature?: string
  cache_control?: unknown
}

interface Message {
  role: string
  content: string | Block[]
}

/** Further keywords that are rejected in strict schemas. */
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'maxItems', '$ref']

/**
 * Anthropic's Messages API. Thinking is signed, and must come back with the calls it led to; prompts are cached where they
 * are marked.
 */
export function anthropicMessages(): Protocol {
  const cache = new Set<string>()
  return {
    matches: (path) => path.endsWith('/messages'),
    check({ headers, body }) {
      demand(headers['x-api-key'], 'x-api-key header is required', { status: 401, code: 'authentication_error' })
      demand(headers['anthropic-version'] === '2023-06-01', 'anthropic-version: header is required')
      demand(body.stream === true, 'this account may only stream')
      demand(Number.isInteger(body.max_tokens), 'max_tokens: Field required')
      demandOutputLimit('max_tokens', body.max_tokens)
      checkMessages(body.messages as Message[], isThinking(body))
      for (const { name, strict, input_schema } of (body.tools ?? []) as Record<string, unknown>[])
        if (strict === true) demandStrict(input_schema, `tools.${String(name)}`, BOUNDS)
      demand(marksIn(body) <= 4, `A maximum of 4 blocks with cache_control may be provided. Found ${marksIn(body)}.`)
      demand(
        !isThinking(body) || (body.temperature ?? 1) === 1,
        '`temperature` may only be set to 1 when thinking is enabled.',
      )
    },
    events: (request, answer) => [...start(request, answer, cache), ...content(answer), ...end(answer)],
    errorBody: (_status, message, code) => ({ type: 'error', error: { type: code ?? 'scripted', message } }),
    errorEvent: (message): WireEvent => ({
      event: 'error',
      data: { type: 'error', error: { type: 'overloaded_error', message } },
    }),
    limitHeaders: (measure, { limit, remaining, resetMs }: ScriptedLimit) => ({
      [`anthropic-ratelimit-${measure}-limit`]: String(limit),
      [`anthropic-ratelimit-${measure}-remaining`]: String(remaining),
      [`anthropic-ratelimit-${measure}-reset`]: new Date(Date.now() + resetMs).toISOString(),
    }),
  }
}

function isThinking(body: WireRequest['body']): boolean {
  return (body.thinking as { type?: string } | undefined)?.type === 'enabled'
}

function blocksOf({ content: blocks }: Message): Block[] {
  return typeof blocks === 'string' ? [{ type: 'text' }] : blocks
}

function checkMessages(messages: Message[], thinking: boolean): void {
  demand(messages[0]?.role === 'user', 'messages: first message must use the "user" role')
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message)
    demand(blocks.length > 0, `messages.${index}: all messages must have non-empty content`)
    for (const [at, block] of blocks.entries()) {
      const isEmpty = block.type === 'text' && block.text?.trim() === ''
      demand(!isEmpty, `messages.${index}: text content blocks must contain non-whitespace text`)
      const isNamed = block.type !== 'tool_use' || /^[a-zA-Z0-9_-]+$/.test(block.id ?? '')
      demand(isNamed, `messages.${index}.content.${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
      if (block.type === 'thinking') {
        const genuine = block.signature === sign('thinking', block.thinking)
        demand(genuine, `messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block`)
      }
    }
    const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
    const next = messages[index + 1]
    const results = (next ? blocksOf(next) : []).map((block) => block.tool_use_id)
    const open = calls.filter((id) => !results.includes(id))
    demand(
      open.length === 0,
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
        `${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    )
    const first = blocks[0]?.type
    demand(
      !thinking || calls.length === 0 || first === 'thinking' || first === 'redacted_thinking',
      `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When ` +
        '`thinking` is enabled, a final `assistant` message must start with a thinking block.',
    )
  }
}

function marksIn(body: unknown): number {
  return JSON.stringify(body).split('"cache_control"').length - 1
}

/** The prompt up to each mark, longest last, as text without the marks. */
function markedPrefixes({ tools, system, messages }: WireRequest['body']): string[] {
  const blocks = [
    ...((tools ?? []) as Block[]),
    ...(Array.isArray(system) ? (system as Block[]) : []),
    ...(messages as Message[]).flatMap(blocksOf),
  ]
  return blocks.flatMap((block, index) =>
    block.cache_control === undefined
      ? []
      : [JSON.stringify(blocks.slice(0, index + 1).map(({ cache_control: _mark, ...rest }) => rest))],
  )
}

function cachedUsage({ body }: WireRequest, cache: Set<string>) {
  const tokens = (text: string | undefined) => Math.ceil((text?.length ?? 0) / 4)
  const prefixes = markedPrefixes(body)
  const read = tokens(prefixes.findLast((prefix) => cache.has(prefix)))
  const written = tokens(prefixes.at(-1)) - read
  for (const prefix of prefixes) cache.add(prefix)
  return { input_tokens: 10, cache_read_input_tokens: read, cache_creation_input_tokens: written }
}

/** For how long the cache keeps what was written to it. */
function writtenFor(body: WireRequest['body'], tokens: number) {
  const isHourly = JSON.stringify(body).includes('"ttl":"1h"')
  return { ephemeral_5m_input_tokens: isHourly ? 0 : tokens, ephemeral_1h_input_tokens: isHourly ? tokens : 0 }
}

function start(request: WireRequest, { usage }: ScriptedMessage, cache: Set<string>): WireEvent[] {
  const { prompt_tokens, cached_tokens = 0, cache_write_tokens = 0 } = usage ?? DEFAULT_USAGE
  const counted =
    usage === undefined && marksIn(request.body) > 0
      ? cachedUsage(request, cache)
      : {
          input_tokens: prompt_tokens - cached_tokens - cache_write_tokens,
          cache_read_input_tokens: cached_tokens,
          cache_creation_input_tokens: cache_write_tokens,
          cache_creation: writtenFor(request.body, cache_write_tokens),
        }
  const message = {
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    model: request.body.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...counted, output_tokens: 1 },
  }
  return [typed({ type: 'message_start', message }), typed({ type: 'ping' })]
}

function content({ reasoning, text, toolCalls = [] }: ScriptedMessage): WireEvent[] {
  const blocks = [
    ...(reasoning === undefined
      ? []
      : [
          {
            block: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              ...pieces(reasoning).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
              { type: 'signature_delta', signature: sign('thinking', reasoning) },
            ],
          },
        ]),
    ...(text === undefined
      ? []
      : [
          {
            block: { type: 'text', text: '' },
            deltas: pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
          },
        ]),
    ...toolCalls.map((call, index) => ({
      block: { type: 'tool_use', id: call.id ?? `toolu_${index}`, name: call.name, input: {} },
      deltas: pieces(argumentsText(call.arguments)).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    })),
  ]
  return blocks.flatMap(({ block, deltas }, index) => [
    typed({ type: 'content_block_start', index, content_block: block }),
    ...deltas.map((delta) => typed({ type: 'content_block_delta', index, delta })),
    typed({ type: 'content_block_stop', index }),
  ])
}

function end({ toolCalls = [], usage, finish }: ScriptedMessage): WireEvent[] {
  const complete = toolCalls.length > 0 ? 'tool_use' : 'end_turn'
  const reason = finish === undefined ? complete : finish === 'length' ? 'max_tokens' : 'refusal'
  const { completion_tokens: output_tokens } = usage ?? DEFAULT_USAGE
  return [
    typed({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens } }),
    typed({ type: 'message_stop' }),
  ]
}

function typed(data: { type: string; [field: string]: unknown }): WireEvent {
  return { event: data.type, data }
}
