import { z } from 'zod'
import { budgetField } from './budget.ts'
import { defineEndpoint } from './endpoint.ts'
import { booleanQuery, count, jsonObject, listQuery, nextCursor, noCacheField, timestamp } from './fields.ts'

const MAX_TIMEOUT_SECONDS = 600
const DEFAULT_TIMEOUT_SECONDS = 30
const MAX_TIMEOUT_CHARACTERS = 30

const agent = z
  .object({
    name: z.string(),
    role: z.string(),
    goal: z.string(),
    status: z
      .enum(['active', 'inactive'])
      .describe('`active` while at least one worker that hosts the agent is alive.'),
    models: z
      .array(z.string())
      .describe(
        'In order of preference: the first is used, the others are fallbacks. Empty for agents in plain code, and for agents of workers of an earlier version.',
      ),
    tools: z.array(z.string()),
    last_seen: timestamp.describe('Time of the last heartbeat of a worker that hosts the agent.'),
    trace_count: count,
    runs: count.describe('How often the agent was started, including calls by other agents.'),
    last_executed: timestamp.nullable(),
    last_day: z
      .object({ since: timestamp, completed: count, failed: count, canceled: count })
      .describe('How its runs ended in the last 24 hours; the window starts on a full hour (`since`).'),
    input: jsonObject.nullable().describe('JSON Schema of the inputs; null when any input is accepted.'),
    output: jsonObject.nullable().describe('JSON Schema of the outputs; null when the agent declares none.'),
  })
  .meta({ id: 'Agent' })

export const agentList = z.object({ agents: z.array(agent), next_cursor: nextCursor })

const toolDetail = z
  .object({
    name: z.string(),
    description: z.string(),
    parameters: jsonObject.describe('JSON Schema of the parameters, as the model receives it.'),
  })
  .meta({ id: 'Tool' })

export const toolList = z.object({ agent: z.string(), tools: z.array(toolDetail) })

const message = z.string().min(1)
const secondsRule = `must be a number of seconds above 0 and at most ${MAX_TIMEOUT_SECONDS}`
const isTimeout = (seconds: number): boolean => seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS
const timeoutRange = { exclusiveMinimum: 0, maximum: MAX_TIMEOUT_SECONDS }
const timeoutDescription = 'How many seconds to wait for the response.'

/** Query of GET /api/agents/{agent_name}/chat. */
export const chatQuery = z.object({
  message,
  wait: booleanQuery(true, 'False returns at once, without waiting for the response.'),
  no_cache: booleanQuery(
    false,
    'True bypasses the cache: all calls are made again, and their results replace the cached ones.',
  ),
  timeout: z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined) return DEFAULT_TIMEOUT_SECONDS
      // The length limit and the unambiguous pattern keep the time for untrusted text short.
      const isNumber = text.length <= MAX_TIMEOUT_CHARACTERS && /^[\d.]+(?:e[+-]?\d+)?$/i.test(text)
      const seconds = isNumber ? Number(text) : Number.NaN
      if (isTimeout(seconds)) return seconds
      context.addIssue({ code: 'custom', message: secondsRule })
      return z.NEVER
    })
    .meta({ type: 'number', ...timeoutRange, default: DEFAULT_TIMEOUT_SECONDS, description: timeoutDescription }),
})

/** Body of POST /api/agents/{agent_name}/chat. */
export const chatBody = z
  .object({
    message,
    wait: z.boolean().default(true),
    no_cache: noCacheField(),
    timeout: z
      .number()
      .refine(isTimeout, { error: secondsRule })
      .default(DEFAULT_TIMEOUT_SECONDS)
      .meta({ ...timeoutRange, description: timeoutDescription }),
    budget: budgetField,
  })
  .meta({ id: 'ChatRequest' })

const chatAnswer = z
  .object({
    task_id: z.string(),
    status: z.enum(['submitted', 'completed', 'failed', 'canceled', 'timeout']),
    response: jsonObject.nullable().optional().describe('The response of the agent; present when it has completed.'),
    message: z
      .string()
      .optional()
      .describe('Present when the timeout has expired; says where to get the response later.'),
  })
  .meta({ id: 'ChatAnswer' })

export type Agent = z.infer<typeof agent>
export type ToolDetail = z.infer<typeof toolDetail>
export type ChatAnswer = z.infer<typeof chatAnswer>
export type ChatBody = z.infer<typeof chatBody>

const tag = 'Agents'
const parameters = { agent_name: 'Name of the agent.' }

export const listAgents = defineEndpoint({
  id: 'listAgents',
  method: 'get',
  path: '/api/agents',
  tag,
  summary: 'Lists the registered agents',
  query: listQuery(1_000, 'agents'),
  response: agentList,
})

export const listTools = defineEndpoint({
  id: 'listTools',
  method: 'get',
  path: '/api/agents/{agent_name}/tools',
  tag,
  summary: 'Lists the tools of an agent',
  parameters,
  response: toolList,
  errors: [404],
})

const chat = {
  path: '/api/agents/{agent_name}/chat',
  tag,
  summary: 'Sends a message to an agent',
  description:
    'When the timeout expires, the task continues; get its response from `/api/responses/{task_id}/resolved` later.',
  parameters,
  response: chatAnswer,
} as const

export const chatByQuery = defineEndpoint({
  ...chat,
  id: 'chatByQuery',
  method: 'get',
  query: chatQuery,
  reads: false,
  errors: [404, 502],
})

export const chatByBody = defineEndpoint({
  ...chat,
  id: 'chatByBody',
  method: 'post',
  body: chatBody,
  submits: true,
  errors: [404, 502],
  example: { message: 'Hello!', timeout: 30 },
})
