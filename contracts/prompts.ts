import { z } from 'zod'
import { STATUSES } from '../core/execution.ts'
import { budgetField, budgetState } from './budget.ts'
import { cost } from './cost.ts'
import { defineEndpoint } from './endpoint.ts'
import { jsonObject, listQuery, nextCursor, noCacheField, payload, submittedBy, timestamp } from './fields.ts'
import { tokenUsage } from './token-usage.ts'

const MAX_CHAIN = 1_000

export const executionStatus = z.enum(STATUSES)

/** Body of POST /api/prompts. */
export const promptBody = z
  .object({
    prompt_name: z.string().min(1).describe('Name of the agent to execute.'),
    inputs: payload.describe('Input data for the agent.'),
    mode: z.enum(['single', 'sequential']).default('single'),
    agents: z
      .array(z.string().min(1))
      .max(MAX_CHAIN)
      .nullable()
      .optional()
      .describe(
        'The agents of a chain in order, for mode `sequential`. The output of each agent is the input of the next.',
      ),
    no_cache: noCacheField(),
    budget: budgetField,
  })
  .meta({ id: 'PromptRequest' })

const promptCreated = z
  .object({
    prompt_id: z.string(),
    status: executionStatus,
    agent: z.string(),
    mode: z.enum(['single', 'sequential']),
    agents: z.array(z.string()),
  })
  .meta({ id: 'PromptCreated' })

const promptItem = z
  .object({
    prompt_id: z.string(),
    prompt_name: z.string(),
    status: executionStatus,
    created_at: timestamp,
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'PromptItem' })

export const prompt = promptItem
  .extend({
    inputs: jsonObject,
    outputs: jsonObject.nullable(),
    error: z.string().nullable(),
    token_usage: tokenUsage,
    cost,
    budget: budgetState,
    submitted_by: submittedBy,
  })
  .meta({ id: 'Prompt' })

export const promptList = z.object({ prompts: z.array(promptItem), limit: z.int(), next_cursor: nextCursor })

const promptCanceled = z
  .object({
    ok: z.boolean().describe('False when the execution had already ended.'),
    prompt_id: z.string(),
    status: executionStatus,
  })
  .meta({ id: 'PromptCanceled' })

export type PromptCreated = z.infer<typeof promptCreated>
export type PromptItem = z.infer<typeof promptItem>
export type Prompt = z.infer<typeof prompt>

const tag = 'Prompts'
const parameters = { prompt_id: 'The id from the response of the submission; the id of any execution works.' }

export const createPrompt = defineEndpoint({
  id: 'createPrompt',
  method: 'post',
  path: '/api/prompts',
  tag,
  summary: 'Runs an agent or a chain of agents',
  description: 'Returns at once while the run continues. Follow it on `/ws/prompts/{prompt_id}`.',
  body: promptBody,
  response: promptCreated,
  submits: true,
  errors: [404],
  example: { prompt_name: 'researcher', inputs: { query: 'Why is the sky blue?' } },
})

export const listPrompts = defineEndpoint({
  id: 'listPrompts',
  method: 'get',
  path: '/api/prompts',
  tag,
  summary: 'Lists prompts, newest first',
  query: listQuery(50, 'prompts'),
  response: promptList,
})

export const getPrompt = defineEndpoint({
  id: 'getPrompt',
  method: 'get',
  path: '/api/prompts/{prompt_id}',
  tag,
  summary: 'Gets one prompt with inputs, outputs and token usage',
  parameters,
  response: prompt,
  errors: [404, 502],
})

export const cancelPrompt = defineEndpoint({
  id: 'cancelPrompt',
  method: 'post',
  path: '/api/prompts/{prompt_id}/cancel',
  tag,
  summary: 'Cancels a running execution',
  description: 'Takes effect at once and cannot be undone. Model and tool calls in progress are aborted.',
  parameters,
  response: promptCanceled,
  errors: [404],
})
