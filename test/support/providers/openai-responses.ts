import {
  argumentsText,
  demand,
  demandOutputLimit,
  demandStrict,
  openaiLimitHeaders,
  pieces,
  sign,
  type Protocol,
  type WireEvent,
  type WireRequest,
} from './protocol.ts'
import { DEFAULT_USAGE, type ScriptedMessage } from './scripted-answer.ts'

interface Item {
  type?: string
  id?: string
  call_id?: string
  arguments?: string
  encrypted_content?: string | null
}

interface OutputItem extends Item {
  type: string
  id: string
  /** Its events between the first and the last. */
  deltas: (index: number) => Record<string, unknown>[]
  added: Record<string, unknown>
  done: Record<string, unknown>
}

/**
 * OpenAI's Responses API without storage: a call that reasoning led to is refused without that reasoning, and reasoning
 * comes back encrypted.
 */
export function openaiResponses(): Protocol {
  const reasoningOfCall = new Map<string, string>()
  let answers = 0
  return {
    matches: (path) => path.endsWith('/responses'),
    check({ headers, body }) {
      demand(headers.authorization, `You didn't provide an API key.`, { status: 401, code: 'invalid_api_key' })
      demand(body.stream === true, 'this account may only stream')
      demandOutputLimit('max_output_tokens', body.max_output_tokens)
      demand(Array.isArray(body.input), `Missing required parameter: 'input'.`)
      checkInput(body.input as Item[], reasoningOfCall)
      checkSchemas(body)
    },
    events(request, answer) {
      answers += 1
      const items = itemsOf(request, answer, String(answers))
      const reasoning = items.find(({ type }) => type === 'reasoning')
      for (const { call_id } of items) if (call_id && reasoning) reasoningOfCall.set(call_id, reasoning.id)
      return eventsOf(request, answer, items)
    },
    errorBody: (_status, message, code) => ({ error: { message, type: code ?? 'scripted', code: code ?? null } }),
    errorEvent: (message): WireEvent => ({
      event: 'error',
      data: { type: 'error', sequence_number: 9, error: { type: 'server_error', code: 'server_error', message } },
    }),
    limitHeaders: openaiLimitHeaders,
  }
}

function checkInput(input: Item[], reasoningOfCall: Map<string, string>): void {
  for (const [index, item] of input.entries()) {
    if (item.type === 'item_reference') {
      const missing = `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false.`
      demand(false, missing, { status: 404 })
    }
    if (item.type === 'reasoning') {
      const genuine = item.encrypted_content === sign('reasoning', item.id)
      const broken = `The encrypted content for item ${item.id} could not be verified.`
      demand(genuine, broken, { code: 'invalid_encrypted_content' })
    }
    if (item.type === 'function_call') {
      const needed = reasoningOfCall.get(item.call_id ?? '')
      const there = input.slice(0, index).some(({ type, id }) => type === 'reasoning' && id === needed)
      demand(
        needed === undefined || there,
        `Item '${item.call_id}' of type 'function_call' was provided without its required 'reasoning' item: '${needed}'.`,
      )
      const answered = input.some(({ type, call_id }) => type === 'function_call_output' && call_id === item.call_id)
      demand(answered, `No tool output found for function call ${item.call_id}.`)
    }
    if (item.type === 'function_call_output') {
      const asked = input
        .slice(0, index)
        .some(({ type, call_id }) => type === 'function_call' && call_id === item.call_id)
      demand(asked, `No tool call found for function call output with call_id ${item.call_id}.`)
    }
  }
}

function checkSchemas({ tools = [], text }: WireRequest['body']): void {
  for (const { name, strict, parameters } of tools as { name: string; strict?: boolean; parameters: unknown }[]) {
    if (strict === true) demandStrict(parameters, `function '${name}'`)
  }
  const { format } = (text ?? {}) as { format?: { name: string; strict?: boolean; schema: unknown } }
  if (format?.strict === true) demandStrict(format.schema, `response_format '${format.name}'`)
}

function itemsOf({ body }: WireRequest, answer: ScriptedMessage, suffix: string): OutputItem[] {
  const { reasoning, text, toolCalls = [] } = answer
  const encrypted = ((body.include ?? []) as string[]).includes('reasoning.encrypted_content')
  return [
    ...(reasoning === undefined ? [] : [reasoningItem(`rs_${suffix}`, reasoning, encrypted)]),
    ...(text === undefined ? [] : [messageItem(`msg_${suffix}`, text)]),
    ...toolCalls.map((call, index) => callItem(`fc_${suffix}_${index}`, call.id ?? `call_${suffix}_${index}`, call)),
  ]
}

function reasoningItem(id: string, text: string, encrypted: boolean): OutputItem {
  const type = 'reasoning'
  const encrypted_content = encrypted ? sign('reasoning', id) : null
  const part = { type: 'summary_text', text }
  const summary = { item_id: id, summary_index: 0 }
  return {
    type,
    id,
    added: { type, id, summary: [], encrypted_content: null },
    deltas: () => [
      { type: 'response.reasoning_summary_part.added', ...summary, part: { ...part, text: '' } },
      ...pieces(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...summary, delta })),
      { type: 'response.reasoning_summary_text.done', ...summary, text },
      { type: 'response.reasoning_summary_part.done', ...summary, part },
    ],
    done: { type, id, summary: [part], encrypted_content },
  }
}

function messageItem(id: string, text: string): OutputItem {
  const message = { type: 'message', id, role: 'assistant' }
  const part = { type: 'output_text', text, annotations: [] }
  const place = { item_id: id, content_index: 0 }
  return {
    type: 'message',
    id,
    added: { ...message, status: 'in_progress', content: [] },
    deltas: () => [
      { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
      ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
      { type: 'response.output_text.done', ...place, text },
      { type: 'response.content_part.done', ...place, part },
    ],
    done: { ...message, status: 'completed', content: [part] },
  }
}

function callItem(
  id: string,
  call_id: string,
  call: { name: string; arguments: Record<string, unknown> | string },
): OutputItem {
  const text = argumentsText(call.arguments)
  const item = { type: 'function_call', id, call_id, name: call.name }
  return {
    type: 'function_call',
    id,
    call_id,
    added: { ...item, arguments: '', status: 'in_progress' },
    deltas: () => [
      ...pieces(text).map((delta) => ({ type: 'response.function_call_arguments.delta', item_id: id, delta })),
      { type: 'response.function_call_arguments.done', item_id: id, arguments: text },
    ],
    done: { ...item, arguments: text, status: 'completed' },
  }
}

function eventsOf(
  { body }: WireRequest,
  { usage = DEFAULT_USAGE, finish, serviceTier: service_tier }: ScriptedMessage,
  items: OutputItem[],
) {
  const told = { created_at: 1_700_000_000, model: body.model, service_tier }
  const response = { id: 'resp_scripted', object: 'response', ...told }
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  const reason = finish === undefined ? null : { reason: finish === 'length' ? 'max_output_tokens' : finish }
  const ended = {
    ...response,
    status: reason ? 'incomplete' : 'completed',
    incomplete_details: reason,
    output: items.map(({ done }) => done),
    usage: usage && {
      input_tokens: usage.prompt_tokens,
      input_tokens_details: { cached_tokens: usage.cached_tokens ?? 0 },
      output_tokens: usage.completion_tokens,
      output_tokens_details: { reasoning_tokens: usage.reasoning_tokens ?? 0 },
      total_tokens: usage.prompt_tokens + usage.completion_tokens,
    },
  }
  const events: Record<string, unknown>[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item: item.added },
      ...item.deltas(index).map((delta) => ({ ...delta, output_index: index })),
      { type: 'response.output_item.done', output_index: index, item: item.done },
    ]),
    { type: reason ? 'response.incomplete' : 'response.completed', response: ended },
  ]
  return events.map((event, index) => ({ event: String(event.type), data: { ...event, sequence_number: index } }))
}
