import { demand, pieces, sign, type Protocol, type WireEvent } from './protocol.ts'
import { DEFAULT_USAGE, type ScriptedMessage, type ScriptedUsage } from './scripted-answer.ts'

interface Part {
  text?: string
  functionCall?: { name: string; args: unknown }
  functionResponse?: { name: string }
  thoughtSignature?: string
}

interface Content {
  role: string
  parts: Part[]
}

const STATUS_NAMES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

/** Google's Gemini API: the first call of an answer carries a signature, which must come back with it. */
export function googleGenerate(): Protocol {
  let signs = false
  return {
    matches: (path) => path.includes(':streamGenerateContent'),
    check({ path, headers, body }) {
      demand(path.includes('alt=sse'), 'this account may only stream')
      demand(headers['x-goog-api-key'], 'Method doesn’t allow unregistered callers.', { status: 403 })
      const contents = body.contents as Content[]
      demand(contents.length > 0, 'contents is not specified')
      for (const [index, { parts }] of contents.entries()) checkParts(parts, contents[index + 1]?.parts ?? [], signs)
    },
    events({ body }, answer) {
      if (answer.reasoning !== undefined) signs = true
      return chunksOf(answer, body)
    },
    errorBody: (status, message, retryDelay) => ({
      error: {
        code: status,
        message,
        status: STATUS_NAMES[status] ?? 'UNKNOWN',
        ...(retryDelay && { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }] }),
      },
    }),
    errorEvent: (message): WireEvent => ({ data: { error: { code: 503, message, status: 'UNAVAILABLE' } } }),
    // Google tells no limits.
    limitHeaders: () => ({}),
  }
}

function checkParts(parts: Part[], next: Part[], signs: boolean): void {
  demand(parts.length > 0, 'contents.parts must not be empty.')
  const calls = parts.filter((part) => part.functionCall)
  const results = next.filter((part) => part.functionResponse)
  demand(
    calls.length === results.length,
    'Please ensure that the number of function response parts is equal to the number of function call parts of the ' +
      'function call turn.',
  )
  const first = calls[0]
  if (first === undefined || !signs) return
  demand(
    first.thoughtSignature,
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.',
  )
  const { name, args } = first.functionCall ?? {}
  demand(first.thoughtSignature === sign('thought', name, args), 'Thought signature is not valid.')
}

function chunksOf({ reasoning, text, toolCalls = [], usage = DEFAULT_USAGE, finish }: ScriptedMessage, body: object) {
  const parts: Part[] = [
    ...pieces(reasoning ?? '').map((piece) => ({ text: piece, thought: true })),
    ...pieces(text ?? '').map((piece) => ({ text: piece })),
    ...toolCalls.map((call, index) => ({
      functionCall: { ...(call.id && { id: call.id }), name: call.name, args: call.arguments },
      ...(reasoning !== undefined && index === 0 && { thoughtSignature: sign('thought', call.name, call.arguments) }),
    })),
  ]
  const reason = finish === undefined ? 'STOP' : finish === 'length' ? 'MAX_TOKENS' : 'SAFETY'
  const counted = usage ? { usageMetadata: googleUsage(usage) } : {}
  const chunk = (part: Part[], finishReason?: string): WireEvent => ({
    data: {
      candidates: [{ content: { role: 'model', parts: part }, index: 0, ...(finishReason && { finishReason }) }],
      ...counted,
      modelVersion: 'model' in body ? body.model : undefined,
      responseId: 'scripted',
    },
  })
  return [...parts.map((part) => chunk([part])), chunk([{ text: '' }], reason)]
}

function googleUsage(usage: ScriptedUsage) {
  const thoughts = usage.reasoning_tokens ?? 0
  return {
    promptTokenCount: usage.prompt_tokens,
    cachedContentTokenCount: usage.cached_tokens ?? 0,
    candidatesTokenCount: usage.completion_tokens - thoughts,
    thoughtsTokenCount: thoughts,
    totalTokenCount: usage.prompt_tokens + usage.completion_tokens,
  }
}
