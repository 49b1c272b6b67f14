import { z } from 'zod'
import { batchStatus, batchSummary } from './batches.ts'
import { budgetState } from './budget.ts'
import { cost } from './cost.ts'
import { tokenUsage } from './token-usage.ts'
import { defineEndpoint } from './endpoint.ts'
import { count, listQuery, nextCursor, timestamp } from './fields.ts'

/** State of a task of a batch: the status of its execution, where a running execution that has not started yet is `waiting`. */
const taskState = z.enum(['waiting', 'running', 'completed', 'failed', 'canceled'])

const batchGrid = z
  .object({
    batch_id: z.string(),
    agent_name: z.string(),
    status: batchStatus,
    created_at: timestamp,
    completed_at: timestamp.nullable(),
    revived_at: timestamp
      .nullable()
      .describe('When tasks were last added to the completed batch; null if this has never happened.'),
    summary: batchSummary,
    waiting: count,
    running: count,
    canceled: count.describe('Canceled tasks; the summary counts them as failed, too.'),
    token_usage: tokenUsage,
    cost,
    budget: budgetState,
    tasks: z
      .string()
      .describe(
        'One letter for each task, in the order of submission: w waiting, r running, s success, e error, c canceled.',
      ),
  })
  .meta({ id: 'BatchGrid' })

const batchTask = z
  .object({
    task_id: z.string(),
    index: count.describe('Position in the batch, starting at 0.'),
    agent: z.string(),
    state: taskState,
    created_at: timestamp,
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    duration_ms: count.nullable().describe('Milliseconds from start to end; null until both are known.'),
    total_tokens: count,
    error: z.string().nullable().describe('The first 200 characters of the error message.'),
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
  summary: 'Gets the state of every task of a batch, as one letter per task',
  description:
    'The response is plain text, one letter for each task: w waiting, r running, s success, e error, c canceled. With `Accept: application/json` ' +
    'it is an object with these letters and the state of the batch at the same moment. The response has an ETag: send it in `If-None-Match` ' +
    'to get 304 without a body while nothing has changed.',
  parameters,
  revalidates: true,
  textField: 'tasks',
  response: batchGrid,
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
    status: taskState.optional().describe('Another name for `state`. If both are given, both must match.'),
  }),
  response: batchTaskList,
  errors: [404],
})
