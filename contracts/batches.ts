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
/** The maximum number of tasks of one submission. */
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
    description: 'The inputs of each task; tasks run in parallel.',
  })
const wait = z.boolean().default(false).describe('True waits until all tasks have ended and returns their results.')

/** Body of POST /api/agents/{agent_name}/batch. */
export const batchBody = z
  .object({
    tasks,
    wait,
    batch_id: z
      .string()
      // Clients normalize the path segments `.` and `..`, so a batch with such an id could not be requested.
      .regex(/^(?!\.\.?$)[A-Za-z0-9._-]{1,128}$/, {
        error: 'must be 1 to 128 letters, digits, dots, underscores or hyphens',
      })
      .nullable()
      .optional()
      .describe('Id of an existing batch to add the tasks to, or the id for a new batch; null generates an id.'),
    no_cache: noCacheField(),
    budget: budgetField.describe('Limits for all tasks of the new batch together. An existing batch keeps its budget.'),
    task_budget: budgetField.describe('Limits for each task of this request.'),
  })
  .meta({ id: 'BatchRequest' })

/** Body of POST /api/batches/{batch_id}/add-tasks. */
const addTasksBody = z
  .object({
    agent_name: z.string().min(1).describe('The agent that runs the new tasks.'),
    tasks,
    wait,
    no_cache: noCacheField(),
    task_budget: budgetField.describe('Limits for each task of this request.'),
  })
  .meta({ id: 'AddTasksRequest' })

const taskResult = z
  .object({
    task_id: z.string(),
    status: taskStatus,
    response: objectOrPointer.describe(
      '`{status, result, error}`, or `{offloaded: true, pointer}` for a large response.',
    ),
  })
  .meta({ id: 'TaskResult' })

const results = z.array(taskResult).optional().describe('Results in the order of the tasks; present with `wait: true`.')

const batchSubmitted = z
  .object({
    batch_id: z.string(),
    agent_name: z.string(),
    status: batchStatus,
    task_count: count.describe('The number of tasks of this request.'),
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
    recorded: count.describe('The number of tasks that have ended.'),
    succeeded: count,
    failed: count.describe('Failed tasks, including canceled ones.'),
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
      results: z
        .record(z.string(), z.object({ status: taskStatus, response: objectOrPointer }))
        .describe('Results by job_id.'),
      summary: batchSummary,
    }),
    cost,
    budget: budgetState,
    budgets: z
      .object({ budget: budgetField, task_budget: budgetField })
      .describe('The budgets of the first submission, for use when tasks are run again.'),
    submitted_by: submittedBy,
  })
  .meta({ id: 'Batch' })

/** The fields of a batch that the client requested. */
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
  description:
    'With the `batch_id` of an existing batch, adds the tasks to it. Follow the batch on `/ws/batches/{batch_id}`.',
  parameters: { agent_name: 'The agent that runs the tasks.' },
  body: batchBody,
  response: batchSubmitted,
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
  description: 'A completed batch becomes running again. A canceled batch accepts no more tasks.',
  parameters,
  body: addTasksBody,
  response: tasksAdded,
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
  response: batchList,
})

export const getBatch = defineEndpoint({
  id: 'getBatch',
  method: 'get',
  path: '/api/batches/{batch_id}',
  tag,
  summary: 'Gets one batch with its tasks, results and summary',
  parameters,
  description:
    'Request only the fields that you need of a large batch: the cost of `?results=false&inputs=false&ids=false` does not depend on its size.',
  query: z.object({
    results: booleanQuery(true, 'False leaves `outputs.results` empty.'),
    inputs: booleanQuery(true, 'False leaves `inputs.tasks` empty.'),
    ids: booleanQuery(true, 'False leaves `job_ids` and `task_ids` empty.'),
    fields: fieldsQuery(Object.keys(batch.shape) as (keyof typeof batch.shape)[]),
  }),
  response: z.union([batch, batchPart]),
  errors: [404, 502],
})

export const cancelBatch = defineEndpoint({
  id: 'cancelBatch',
  method: 'post',
  path: '/api/batches/{batch_id}/cancel',
  tag,
  summary: 'Cancels a batch and all of its unfinished tasks',
  description:
    'The batch is canceled when the response arrives. In a very large batch, the last tasks are canceled shortly afterwards.',
  parameters,
  response: batchCanceled,
  errors: [404],
})
