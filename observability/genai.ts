import type { Attributes } from '@opentelemetry/api'
import type { ModelAnswer, ModelRequest, Turn } from '../agents/models/model.ts'

/** Provider names of the GenAI semantic conventions. */
const PROVIDERS: Record<string, string> = { google: 'gcp.gemini' }
const MAX_CHARACTERS = 1_000
const MAX_MESSAGES = 10
const MAX_PARTS = 10

type Part = Record<string, unknown>

/** Attributes of a model call that contain no content. */
export function chatAttributes(model: { provider: string; model: string }, { agent, tools }: ModelRequest): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': PROVIDERS[model.provider] ?? model.provider,
    'gen_ai.request.model': model.model,
    'gen_ai.agent.name': agent.name,
    'troupe.tools_offered': tools.length,
  }
}

/** Token usage of a model call. */
export function usageAttributes({ model, usage }: ModelAnswer): Attributes {
  return {
    'gen_ai.response.model': model,
    'gen_ai.usage.input_tokens': usage.prompt_tokens,
    'gen_ai.usage.output_tokens': usage.completion_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cached_tokens,
    'troupe.usage.source': usage.source,
  }
}

/** The latest messages of a conversation, if capturing content is enabled; texts and their number are limited. */
export function inputMessages({ turns }: ModelRequest): string {
  return JSON.stringify(turns.slice(-MAX_MESSAGES).map(messageOfTurn))
}

/** A model's response, if capturing content is enabled; limited like the conversation. */
export function outputMessages({ text, calls }: ModelAnswer): string {
  return JSON.stringify([messageOfTurn({ role: 'assistant', text, calls })])
}

/** A tool's arguments or result, if capturing content is enabled; limited. */
export function shortJson(value: unknown): string {
  return cut(JSON.stringify(value) ?? 'null')
}

function messageOfTurn(turn: Turn): { role: string; parts: Part[] } {
  const parts = turn.role === 'tool' ? turn.results.map(responsePart) : [...textParts(turn.text), ...callParts(turn)]
  return { role: turn.role, parts: parts.slice(0, MAX_PARTS) }
}

function textParts(text: string): Part[] {
  return text === '' ? [] : [{ type: 'text', content: cut(text) }]
}

function callParts(turn: Turn): Part[] {
  if (turn.role !== 'assistant') return []
  return turn.calls.map(({ id, name, arguments: args }) => ({
    type: 'tool_call',
    id,
    name,
    arguments: shortJson(args),
  }))
}

function responsePart({ id, output }: { id: string; output: string }): Part {
  return { type: 'tool_call_response', id, response: cut(output) }
}

function cut(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`
}
