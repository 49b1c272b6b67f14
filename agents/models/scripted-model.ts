import { setTimeout as sleep } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import { z } from 'zod'
import { messageOf } from '../../core/errors.ts'
import type { AgentDefinition, ScriptState } from '../definition.ts'
import { ModelError, type Model, type ModelRequest, type Turn } from './model.ts'
import { SCRIPTED } from '../../core/model-name.ts'

const count = z.int().min(0)
const answer = z
  .object({
    text: z.string().optional(),
    toolCalls: z
      .array(z.object({ name: z.string().min(1), arguments: z.record(z.string(), z.unknown()).default({}) }))
      .optional(),
    usage: z.object({ prompt_tokens: count, completion_tokens: count }).optional(),
    writeMs: count.optional(),
  })
  .refine(({ text, toolCalls = [] }) => text !== undefined || toolCalls.length > 0)

/** The offline model. Each response is the result of the agent's `script` for the state of the conversation. */
export const scriptedModel: Model = {
  provider: SCRIPTED,
  model: SCRIPTED,
  async generate(request) {
    if (request.signal.aborted) throw aborted()
    const { text = '', toolCalls = [], usage, writeMs = 0 } = await answerOf(request)
    await write(text, writeMs, request)
    const source = usage ? 'measured' : 'unknown'
    return {
      provider: SCRIPTED,
      model: SCRIPTED,
      text,
      calls: toolCalls.map((call, index) => ({ id: `call_${request.step}_${index}`, ...call })),
      usage: {
        prompt_tokens: usage?.prompt_tokens ?? 0,
        completion_tokens: usage?.completion_tokens ?? 0,
        cached_tokens: 0,
        cache_write_tokens: 0,
        reasoning_tokens: 0,
        source,
        prompt_source: source,
      },
    }
  },
}

/** Builds a script's state: the conversation in readable form, and the results of all calls, oldest first. */
function scriptState({ agent, inputs, turns, tools, step, noTools = false }: ModelRequest): ScriptState {
  const calls = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.calls : []))
  const results = turns.flatMap((turn) => (turn.role === 'tool' ? turn.results : []))
  return {
    inputs,
    messages: turns.flatMap(readable),
    step,
    results: results.map(({ id, name, output, isError }) => ({
      name,
      arguments: calls.find((call) => call.id === id)?.arguments ?? {},
      ...(isError ? { error: output } : { result: parsed(output) }),
    })),
    tools: noTools ? [] : tools.map(({ name, parameters }) => ({ name, parameters })),
    agent: agent.name,
  }
}

async function answerOf(request: ModelRequest): Promise<z.infer<typeof answer>> {
  const { name, script } = request.agent
  const where = `The script of agent ${name}`
  if (!script) throw failed(`${where} is missing`)
  const untilAborted = { milliseconds: Infinity, signal: request.signal }
  const returned = await pTimeout(callScript(script, request), untilAborted).catch((error: unknown): never => {
    if (request.signal.aborted) throw aborted()
    throw failed(`${where} threw at step ${request.step}: ${messageOf(error)}`, error)
  })
  const checked = answer.safeParse(returned)
  if (checked.success) return checked.data
  const what = returned === undefined || returned === null ? 'nothing' : 'neither { text } nor { toolCalls }'
  throw failed(`${where} returned ${what} at step ${request.step}`)
}

/** Writes a text word by word within `writeMs`, as a model does. Without a listener, it returns at once. */
async function write(text: string, writeMs: number, { onDelta, signal }: ModelRequest): Promise<void> {
  if (writeMs === 0 || text === '' || onDelta === undefined) return
  const words = text.split(/(?<=\s)/)
  for (const word of words) {
    onDelta({ kind: 'text', text: word })
    await sleep(writeMs / words.length, undefined, { signal }).catch(() => {
      throw aborted()
    })
  }
}

async function callScript(script: NonNullable<AgentDefinition['script']>, request: ModelRequest): Promise<unknown> {
  return script(scriptState(request))
}

function readable(turn: Turn): unknown[] {
  if (turn.role === 'user') return [{ role: 'user', content: turn.text }]
  if (turn.role === 'tool') return turn.results.map(({ name, output }) => ({ role: 'tool', name, content: output }))
  const toolCalls = turn.calls.map(({ name, arguments: args }) => ({ name, arguments: args }))
  return [{ role: 'assistant', content: turn.text, ...(toolCalls.length > 0 && { toolCalls }) }]
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return output
  }
}

function failed(message: string, cause?: unknown): ModelError {
  return new ModelError('script_failed', message, { kind: 'refused', cause })
}

function aborted(): ModelError {
  return new ModelError('aborted', 'The model call was aborted', { kind: 'aborted' })
}
