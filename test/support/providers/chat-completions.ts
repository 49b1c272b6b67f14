import {
  argumentsText,
  demand,
  demandOutputLimit,
  demandStrict,
  openaiLimitHeaders,
  pieces,
  type Protocol,
  type WireEvent,
} from './protocol.ts'
import { DEFAULT_USAGE, type ScriptedUsage } from './scripted-answer.ts'

interface ChatMessage {
  role: string
  content?: unknown
  reasoning_content?: string
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * OpenAI's chat completions, with DeepSeek's `reasoning_content`: reasoning that led to calls must come back with their
 * results, unaltered.
 */
export function chatCompletions(): Protocol {
  const reasoningOfCall = new Map<string, string>()
  return {
    matches: (path) => path.endsWith('/chat/completions'),
    check({ body }) {
      demand(typeof body.model === 'string', 'you must provide a model parameter')
      demand(body.stream === true, 'this account may only stream')
      demandOutputLimit('max_tokens', body.max_completion_tokens ?? body.max_tokens)
      for (const { function: declared } of (body.tools ?? []) as { function: { name: string } }[]) {
        demand(NAME.test(declared.name), `Invalid 'tools[0].function.name': string does not match pattern.`)
      }
      const format = body.response_format as { json_schema?: { strict?: boolean; schema: unknown } } | undefined
      if (format?.json_schema?.strict === true) demandStrict(format.json_schema.schema, 'response_format')
      const messages = body.messages as ChatMessage[]
      demand(Array.isArray(messages) && messages.length > 0, `Invalid 'messages': empty array.`)
      for (const [index, message] of messages.entries()) checkMessage(messages, index, message, reasoningOfCall)
    },
    events({ body }, { reasoning = '', text = '', toolCalls = [], usage = DEFAULT_USAGE, finish }) {
      const chunk = (delta: object, reason: string | null = null) => ({
        data: { ...shared(body.model), choices: [{ index: 0, delta, finish_reason: reason }] },
      })
      const calls = toolCalls.map((call, index) => ({ ...call, id: call.id ?? `call_${index}` }))
      for (const call of calls) if (reasoning !== '') reasoningOfCall.set(call.id, reasoning)
      const withUsage = (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true
      return [
        chunk({ role: 'assistant', content: '' }),
        ...pieces(reasoning).map((piece) => chunk({ reasoning_content: piece })),
        ...pieces(text).map((piece) => chunk({ content: piece })),
        ...calls.flatMap((call, index) => callChunks(call, index).map((each) => chunk({ tool_calls: [each] }))),
        // Groq counts without being asked, in a field of its own.
        withField(chunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')), {
          x_groq: { id: 'req_scripted', ...(usage && !withUsage && { usage: chatUsage(usage) }) },
        }),
        ...(usage && withUsage ? [{ data: { ...shared(body.model), choices: [], usage: chatUsage(usage) } }] : []),
        { data: '[DONE]' },
      ]
    },
    errorBody: (_status, message, code) => ({ error: { message, type: code ?? 'scripted', code: code ?? null } }),
    errorEvent: (message): WireEvent => ({ data: { error: { message, type: 'server_error', code: 503 } } }),
    limitHeaders: openaiLimitHeaders,
  }
}

function checkMessage(
  messages: ChatMessage[],
  index: number,
  message: ChatMessage,
  reasoningOfCall: Map<string, string>,
): void {
  if (message.role === 'tool') {
    const asked = messages.slice(0, index).findLast(({ role }) => role !== 'tool')?.tool_calls ?? []
    demand(
      asked.some(({ id }) => id === message.tool_call_id),
      `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.`,
    )
  }
  const calls = message.tool_calls ?? []
  const answered = new Set<string | undefined>()
  for (const next of messages.slice(index + 1)) {
    if (next.role !== 'tool') break
    answered.add(next.tool_call_id)
  }
  const open = calls.filter(({ id }) => !answered.has(id)).map(({ id }) => id)
  demand(
    open.length === 0,
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The ` +
      `following tool_call_ids did not have response messages: ${open.join(', ')}`,
  )
  for (const { id, function: called } of calls) {
    demand(isJson(called.arguments), `Invalid 'messages[${index}].tool_calls': arguments must be JSON.`)
    const reasoning = reasoningOfCall.get(id)
    demand(
      reasoning === undefined || message.reasoning_content === reasoning,
      'The `reasoning_content` in the thinking mode must be passed back to the API.',
    )
  }
}

function callChunks(call: { id: string; name: string; arguments: Record<string, unknown> | string }, index: number) {
  return [
    { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } },
    ...pieces(argumentsText(call.arguments)).map((piece) => ({ index, function: { arguments: piece } })),
  ]
}

function withField({ data }: { data: object }, field: object): WireEvent {
  return { data: { ...data, ...field } }
}

function shared(model: unknown) {
  return { id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 1_700_000_000, model }
}

function chatUsage(usage: ScriptedUsage) {
  return {
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
    total_tokens: usage.prompt_tokens + usage.completion_tokens,
    prompt_tokens_details: { cached_tokens: usage.cached_tokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning_tokens ?? 0 },
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
