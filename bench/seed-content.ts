import { randomUUID } from 'node:crypto'
import type { EventType, ExecutionKind } from '../core/execution.ts'
import type { AgentDocument, ExecutionDocument } from '../store/documents.ts'

/** One event of a seeded execution, before it has an id and a time. */
export interface SeedEvent {
  type: EventType
  payload: string
  tokens: number
}

const NAMES = ['researcher', 'writer', 'analyst', 'assistant', 'coordinator', 'sentiment', 'translator', 'reviewer']
const PROSE = [
  'The figures of the third quarter differ from those that were announced in spring, chiefly in the north.',
  'Two sources agree on the date; a third, which was written later, gives no date but the same order of events.',
  'Costs fell by 4.2 % while the volume grew, so that the price of one unit is the lowest in six years.',
  'What remains open is who decided it: the minutes name nobody, and the letter is not signed.',
].join(' ')
const MODEL = { provider: 'openai', model: 'gpt-5-mini' }
/** Event types of successive executions; ten events on average. */
const EVENT_COUNTS = [4, 8, 10, 12, 16]

/** The agents of the seeded executions, in the format of a registration. */
export function seedAgents(now: Date): AgentDocument[] {
  return NAMES.map((name) => ({
    _id: `${name}|default`,
    name,
    role: `The ${name}`,
    goal: prose(name.length, 80),
    pool: 'default',
    kind: 'model',
    tools: ['read-page', 'text-statistics', 'current-time'].map((tool) => ({
      name: tool,
      description: prose(tool.length, 120),
      parameters: JSON.stringify({ type: 'object', properties: { url: { type: 'string' } }, required: ['url'] }),
    })),
    last_seen: now,
  }))
}

/** The agent of an execution; `index` counts executions. */
export function agentOf(index: number): string {
  return NAMES[index % NAMES.length] as string
}

/** How an execution ends: one in 33 fails. */
export function statusOf(index: number): 'completed' | 'failed' {
  return index % 33 === 32 ? 'failed' : 'completed'
}

/** The events of an execution, in order. */
export function eventsOf(index: number): SeedEvent[] {
  const middle = Array.from({ length: (EVENT_COUNTS[index % EVENT_COUNTS.length] as number) - 2 }, (_, step) =>
    step === 9 ? cacheHit(index) : step % 2 === 0 ? modelCall(index + step) : toolCall(index + step),
  )
  if (statusOf(index) === 'failed') middle.splice(-1, 1, failure(index))
  const inputs = { query: prose(index, 150), index }
  return [
    draft('task_start', { inputs, worker: '4711@worker-1' }),
    ...middle,
    draft('task_complete', {
      status: statusOf(index),
      result: { text: prose(index, 200) },
      duration_ms: 950,
      steps: 4,
    }),
  ]
}

/** An ended execution without times and the last trace id. */
export function execution(index: number, kind: ExecutionKind, at: Date, events: SeedEvent[]): ExecutionDocument {
  const failed = statusOf(index) === 'failed'
  const calls = events.filter(({ type }) => type === 'llm_usage').length
  const tokens = { prompt_tokens: calls * 400, completion_tokens: calls * 80, total_tokens: calls * 480 }
  return {
    _id: randomUUID(),
    kind,
    prompt_name: agentOf(index),
    mode: 'single',
    agents: [{ name: agentOf(index) }],
    status: statusOf(index),
    inputs: { json: JSON.stringify({ query: prose(index, 150), index }) },
    outputs: { json: JSON.stringify(failed ? { error: prose(index, 60) } : { text: prose(index, 250) }) },
    error: failed ? prose(index, 60) : null,
    created_at: at,
    completed_at: at,
    usage: { 'openai%2Fgpt-5-mini': { ...MODEL, ...tokens, calls } },
    started_at: at,
  }
}

function modelCall(seed: number): SeedEvent {
  const tokens = { prompt_tokens: 400, completion_tokens: 80, total_tokens: 480, cached_tokens: 0, usage: 'measured' }
  return draft('llm_usage', { ...MODEL, ...tokens, duration_ms: 412, response: prose(seed, 140) }, 480)
}

function toolCall(seed: number): SeedEvent {
  const parameters = { url: `https://example.com/${seed}` }
  const again = { tool: 'read-page', params: parameters }
  const answer = { result: { text: prose(seed, 100) }, status: 'success', duration_ms: 37, call_id: `call_${seed}` }
  return draft('tool_call', { tool_name: 'read-page', parameters, ...again, ...answer })
}

function cacheHit(seed: number): SeedEvent {
  return draft('cache_hit', { tool_name: 'current-time', parameters: { place: prose(seed, 40) } })
}

function failure(seed: number): SeedEvent {
  const stack = `Error: ${prose(seed, 60)}\n    at read (file:///agents/${agentOf(seed)}.ts:12:9)`
  return draft('error', { error: prose(seed, 60), stack, code: 'tool_failed', retryable: false })
}

function draft(type: EventType, payload: object, tokens = 0): SeedEvent {
  return { type, payload: JSON.stringify(payload), tokens }
}

function prose(seed: number, length: number): string {
  const from = (seed * 37) % (PROSE.length - length)
  return PROSE.slice(from, from + length)
}
