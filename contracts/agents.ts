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
    status: z.enum(['active', 'inactive']).describe('Active while a worker that hosts it is alive.'),
    models: z
      .array(z.string())
      .describe(
        'In the order in which they are asked; empty for plain code, and where a worker of an earlier version hosts it.',
      ),
    tools: z.array(z.string()),
    last_seen: timestamp.describe('The last sign of life of a worker that hosts it.'),
    trace_count: count,
    runs: count.describe('Times that it was begun, also by other agents.'),
    last_executed: timestamp.nullable(),
    last_day: z
      .object({ since: timestamp, completed: count, failed: count, canceled: count })
      .describe('How its runs ended in the last 24 hours, counted from the beginning of an hour.'),
    input: jsonObject.nullable().describe('JSON Schema of the inputs that it takes; null: any.'),
    output: jsonObject.nullable().describe('JSON Schema of its outputs; null: any.'),
  })
  .meta({ id: 'Agent' })

export const agentList = z.object({ agents: z.array(agent), next_cursor: nextCursor })

const toolDetail = z
  .object({
    name: z.string(),
    description: z.string(),
    parameters: jsonObject.describe('A JSON Schema with type, properties and required, as the model gets it.'),
  })
  .meta({ id: 'Tool' })

export const toolList = z.object({ agent: z.string(), tools: z.array(toolDetail) })

const message = z.string().min(1)
const secondsRule = `must be a number of seconds above 0 and at most ${MAX_TIMEOUT_SECONDS}`
const isTimeout = (seconds: number): boolean => seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS
const timeoutRange = { exclusiveMinimum: 0, maximum: MAX_TIMEOUT_SECONDS }
const timeoutDescription = 'Seconds to wait for the answer.'

/** Query of GET /api/agents/{agent_name}/chat. */
export const chatQuery = z.object({
  message,
  wait: booleanQuery(true, 'False answers at once.'),
  no_cache: booleanQuery(false, 'True makes every call anew; the new answers replace those in the cache.'),
  timeout: z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined) return DEFAULT_TIMEOUT_SECONDS
      // Short, and of one pattern that cannot be matched in two ways: foreign text takes no time here.
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
    response: jsonObject.nullable().optional().describe('Only when the agent has answered.'),
    message: z.string().optional().describe('Only when the time was up.'),
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
  summary: 'Lists the agents that workers have registered',
  query: listQuery(1_000, 'agents'),
  answer: agentList,
})

export const listTools = defineEndpoint({
  id: 'listTools',
  method: 'get',
  path: '/api/agents/{agent_name}/tools',
  tag,
  summary: "Describes an agent's tools",
  parameters,
  answer: toolList,
  errors: [404],
})

const chat = {
  path: '/api/agents/{agent_name}/chat',
  tag,
  summary: 'Sends an agent a message',
  description: 'When the time is up the task goes on; its answer will be at `/api/responses/{task_id}/resolved`.',
  parameters,
  answer: chatAnswer,
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
