import { z } from 'zod'
import { batchStatus, batchSummary } from './batches.ts'
import { budgetState } from './budget.ts'
import { cost } from './cost.ts'
import { tokenUsage } from './token-usage.ts'
import { defineEndpoint } from './endpoint.ts'
import { count, listQuery, nextCursor, timestamp } from './fields.ts'

/** Where a task of a batch is: an execution's status, with `running` told apart by whether it has begun. */
const taskState = z.enum(['waiting', 'running', 'completed', 'failed', 'canceled'])

const batchGrid = z
  .object({
    batch_id: z.string(),
    agent_name: z.string(),
    status: batchStatus,
    created_at: timestamp,
    completed_at: timestamp.nullable(),
    revived_at: timestamp.nullable().describe('When tasks were last added after it had completed; null: never.'),
    summary: batchSummary,
    waiting: count,
    running: count,
    canceled: count.describe('Of those that the summary counts as failed.'),
    token_usage: tokenUsage,
    cost,
    budget: budgetState,
    tasks: z
      .string()
      .describe('A letter a task, in the order of submission: w waiting, r running, s success, e error, c canceled.'),
  })
  .meta({ id: 'BatchGrid' })

const batchTask = z
  .object({
    task_id: z.string(),
    index: count.describe('Its place in the batch, from 0.'),
    agent: z.string(),
    state: taskState,
    created_at: timestamp,
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    duration_ms: count.nullable().describe('From its start to its end; null until both are known.'),
    total_tokens: count,
    error: z.string().nullable().describe('Its first 200 characters.'),
  })
  .meta({ id: 'BatchTask' })

const batchTaskList = z.object({
  tasks: z.array(batchTask),
  limit: z.int(),
  offset: z.int(),
  next_cursor: nextCursor,
})

export type BatchGrid = z.infer<typeof batchGrid>
export type BatchTask = z.infer<typeof batchTask>
export type TaskState = z.infer<typeof taskState>

const parameters = { batch_id: 'The id of the batch.' }
const tag = 'Batches'

export const getBatchGrid = defineEndpoint({
  id: 'getBatchGrid',
  method: 'get',
  path: '/api/batches/{batch_id}/grid',
  tag,
  summary: 'Gives the state of every task of a batch, a letter each',
  description:
    'As text, the letters alone: w waiting, r running, s success, e error, c canceled. With Accept: application/json, the batch with them; ' +
    'everything in the answer is of one moment. It has an ETag: a request that names it in If-None-Match gets 304 without a body ' +
    'for as long as nothing has changed.',
  parameters,
  revalidates: true,
  textField: 'tasks',
  answer: batchGrid,
  errors: [404],
})

export const listBatchTasks = defineEndpoint({
  id: 'listBatchTasks',
  method: 'get',
  path: '/api/batches/{batch_id}/tasks',
  tag,
  summary: 'Lists the tasks of a batch in the order of submission',
  parameters,
  query: listQuery(100, 'tasks', {
    state: taskState.optional().describe('Only tasks in this state.'),
    status: taskState.optional().describe('The same under another name; of two that differ, both must hold.'),
  }),
  answer: batchTaskList,
  errors: [404],
})
