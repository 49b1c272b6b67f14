import { z } from 'zod'
import { budgetField, budgetState } from './budget.ts'
import { cost } from './cost.ts'
import { defineEndpoint } from './endpoint.ts'
import {
  booleanQuery,
  count,
  fieldsQuery,
  listQuery,
  nextCursor,
  noCacheField,
  objectOrPointer,
  payload,
  submittedBy,
  timestamp,
} from './fields.ts'

export const batchStatus = z.enum(['submitted', 'running', 'completed', 'canceled'])
const taskStatus = z.enum(['success', 'error', 'canceled'])

const ids = z.array(z.string())
/** Tasks that one submission may have. */
const MAX_TASKS = 100_000

const tasks = z
  .custom<unknown>((value) => !Array.isArray(value) || value.length <= MAX_TASKS, {
    error: `must have at most ${MAX_TASKS} entries`,
    params: { code: 'too_large' },
    abort: true,
  })
  .pipe(z.array(payload).min(1))
  .meta({
    type: 'array',
    items: { type: 'object' },
    minItems: 1,
    maxItems: MAX_TASKS,
    description: 'Task payloads; they are executed in parallel.',
  })
const wait = z.boolean().default(false).describe('True blocks until all responses have arrived.')

/** Body of POST /api/agents/{agent_name}/batch. */
export const batchBody = z
  .object({
    tasks,
    wait,
    batch_id: z
      .string()
      // Clients resolve a path's `.` and `..` away: a batch of that name could never be asked for.
      .regex(/^(?!\.\.?$)[A-Za-z0-9._-]{1,128}$/, {
        error: 'must be 1 to 128 letters, digits, dots, underscores or hyphens',
      })
      .nullable()
      .optional()
      .describe('A batch to add to, or the id of the new batch; null makes an id.'),
    no_cache: noCacheField(),
    budget: budgetField.describe(
      'What all tasks of the new batch may use together. One that exists keeps the budget that it has.',
    ),
    task_budget: budgetField.describe('What each task of this call may use.'),
  })
  .meta({ id: 'BatchRequest' })

/** Body of POST /api/batches/{batch_id}/add-tasks. */
const addTasksBody = z
  .object({
    agent_name: z.string().min(1).describe('The agent that runs the new tasks.'),
    tasks,
    wait,
    no_cache: noCacheField(),
    task_budget: budgetField.describe('What each task of this call may use.'),
  })
  .meta({ id: 'AddTasksRequest' })

const taskResult = z
  .object({
    task_id: z.string(),
    status: taskStatus,
    response: objectOrPointer.describe('`{status, result, error}`, or `{offloaded: true, pointer}` when it is large.'),
  })
  .meta({ id: 'TaskResult' })

const results = z.array(taskResult).optional().describe('Only with `wait`: in the order of the tasks.')

const batchSubmitted = z
  .object({
    batch_id: z.string(),
    agent_name: z.string(),
    status: batchStatus,
    task_count: count.describe('Tasks of this call.'),
    task_ids: ids,
    job_ids: ids,
    trace_ids: ids,
    results,
  })
  .meta({ id: 'BatchSubmitted' })

const tasksAdded = z
  .object({
    batch_id: z.string(),
    status: batchStatus,
    added_job_ids: ids,
    added_trace_ids: ids,
    added_task_ids: ids,
    total_tasks: count,
    total_job_ids: count,
    results,
  })
  .meta({ id: 'TasksAdded' })

export const batchSummary = z
  .object({
    total_expected: count,
    recorded: count.describe('Tasks that have ended.'),
    succeeded: count,
    failed: count.describe('Canceled ones included.'),
  })
  .meta({ id: 'BatchSummary' })

const batchFields = z.object({
  batch_id: z.string(),
  agent_name: z.string(),
  status: batchStatus,
  task_count: count,
  job_ids: ids,
  task_ids: ids,
  created_at: timestamp,
  completed_at: timestamp.nullable(),
})

const batchItem = batchFields.extend({ summary: batchSummary }).meta({ id: 'BatchItem' })

export const batch = batchFields
  .extend({
    inputs: z.object({ tasks: z.array(payload) }),
    outputs: z.object({
      results: z.record(z.string(), z.object({ status: taskStatus, response: objectOrPointer })).describe('By job_id.'),
      summary: batchSummary,
    }),
    cost,
    budget: budgetState,
    budgets: z
      .object({ budget: budgetField, task_budget: budgetField })
      .describe('As its first submission gave them; tasks that run again can be given the same.'),
    submitted_by: submittedBy,
  })
  .meta({ id: 'Batch' })

/** The fields of a batch that were asked for. */
const batchPart = batch.partial().meta({ id: 'BatchPart' })

const batchList = z.object({ batches: z.array(batchItem), limit: z.int(), next_cursor: nextCursor })

const batchCanceled = z
  .object({ ok: z.boolean(), batch_id: z.string(), status: batchStatus })
  .meta({ id: 'BatchCanceled' })

export type Batch = z.infer<typeof batch>
export type BatchItem = z.infer<typeof batchItem>
export type BatchSummary = z.infer<typeof batchSummary>
export type BatchSubmitted = z.infer<typeof batchSubmitted>
export type TasksAdded = z.infer<typeof tasksAdded>

const tag = 'Batches'
const parameters = { batch_id: 'The id of the batch.' }

export const submitBatch = defineEndpoint({
  id: 'submitBatch',
  method: 'post',
  path: '/api/agents/{agent_name}/batch',
  tag,
  summary: 'Runs many tasks of one agent in parallel',
  description: 'A `batch_id` that exists gets the tasks added; follow the batch on `/ws/batches/{batch_id}`.',
  parameters: { agent_name: 'The agent that runs the tasks.' },
  body: batchBody,
  answer: batchSubmitted,
  submits: true,
  errors: [404],
  example: { tasks: [{ query: 'one' }, { query: 'two' }], wait: false },
})

export const addTasks = defineEndpoint({
  id: 'addTasks',
  method: 'post',
  path: '/api/batches/{batch_id}/add-tasks',
  tag,
  summary: 'Adds tasks to a batch',
  description: 'A batch that has ended runs again. A canceled batch takes no more tasks.',
  parameters,
  body: addTasksBody,
  answer: tasksAdded,
  submits: true,
  errors: [404],
  example: { agent_name: 'researcher', tasks: [{ query: 'three' }] },
})

export const listBatches = defineEndpoint({
  id: 'listBatches',
  method: 'get',
  path: '/api/batches',
  tag,
  summary: 'Lists batches, newest first',
  query: listQuery(50, 'batches', { ids: booleanQuery(true, 'False leaves `job_ids` and `task_ids` empty.') }),
  answer: batchList,
})

export const getBatch = defineEndpoint({
  id: 'getBatch',
  method: 'get',
  path: '/api/batches/{batch_id}',
  tag,
  summary: 'Gives one batch with its tasks, results and summary',
  parameters,
  description:
    'Of a large batch ask only for what you need: `?results=false&inputs=false&ids=false` costs the same for any size.',
  query: z.object({
    results: booleanQuery(true, 'False leaves `outputs.results` empty.'),
    inputs: booleanQuery(true, 'False leaves `inputs.tasks` empty.'),
    ids: booleanQuery(true, 'False leaves `job_ids` and `task_ids` empty.'),
    fields: fieldsQuery(Object.keys(batch.shape) as (keyof typeof batch.shape)[]),
  }),
  answer: z.union([batch, batchPart]),
  errors: [404, 502],
})

export const cancelBatch = defineEndpoint({
  id: 'cancelBatch',
  method: 'post',
  path: '/api/batches/{batch_id}/cancel',
  tag,
  summary: 'Cancels a batch and every task of it that has not ended',
  description: 'The batch is canceled with the answer; of very many tasks the last are canceled soon after.',
  parameters,
  answer: batchCanceled,
  errors: [404],
})
