import { z } from 'zod'
import { budgetField, budgetState } from './budget.ts'
import { cost } from './cost.ts'
import { defineEndpoint } from './endpoint.ts'
import { count, jsonObject, listQuery, nextCursor, noCacheField, payload, submittedBy, timestamp } from './fields.ts'
import { executionFilter, executionKind, MAX_TOTAL } from './executions.ts'
import { executionStatus } from './prompts.ts'
import { tokenUsage } from './token-usage.ts'

/** Body of POST /api/jobs. */
const jobBody = z
  .object({
    pipeline_name: z.string().min(1).describe('Name of the agent to execute.'),
    inputs: payload,
    no_cache: noCacheField(),
    budget: budgetField,
  })
  .meta({ id: 'JobRequest' })

const jobEnded = z
  .object({
    job_id: z.string(),
    status: z.enum(['success', 'error', 'canceled']),
    result: jsonObject.nullable(),
    error: z.string().nullable(),
    duration_ms: count,
    agent: z.string(),
  })
  .meta({ id: 'JobEnded' })

const jobItem = z.object({
  job_id: z.string(),
  status: executionStatus,
  pipeline_name: z.string(),
  created_at: timestamp,
  completed_at: timestamp.nullable(),
})

const jobListItem = jobItem
  .extend({
    kind: executionKind,
    batch_id: z.string().nullable().describe('The batch of a task; null for other kinds.'),
    duration_ms: count.nullable().describe('Milliseconds from submission to end; null until the end.'),
    total_tokens: count,
    error: z.string().nullable().describe('The first 200 characters of the error message.'),
  })
  .meta({ id: 'JobItem' })

export const job = jobItem
  .extend({
    kind: executionKind,
    mode: z.enum(['single', 'sequential']),
    agents: z.array(z.string()).describe('The agents of the execution, in order.'),
    batch_id: z.string().nullable(),
    replay_of: z.string().nullable().describe('Id of the execution that this one replays.'),
    started_at: timestamp.nullable().describe('When the first agent started.'),
    inputs: jsonObject,
    outputs: jsonObject.nullable(),
    error: z.string().nullable(),
    token_usage: tokenUsage,
    cost,
    budget: budgetState,
    submitted_by: submittedBy,
  })
  .meta({ id: 'Job' })

export const jobList = z.object({
  jobs: z.array(jobListItem),
  limit: z.int(),
  offset: z.int(),
  total: count.describe(
    `The number of executions in the whole list. For a filtered list, counting stops at ${MAX_TOTAL}; there may be more.`,
  ),
  next_cursor: nextCursor,
})

export const jobStored = jobItem
  .extend({ result: jsonObject.nullable(), error: z.string().nullable() })
  .meta({ id: 'JobStored' })

const jobStarted = z
  .object({ job_id: z.string(), status: executionStatus, agent: z.string(), replay_of: z.string() })
  .meta({ id: 'JobStarted' })

const jobReplayed = jobEnded.extend({ replay_of: z.string() }).meta({ id: 'JobReplayed' })

const jobCanceled = z
  .object({ ok: z.boolean(), job_id: z.string(), status: executionStatus })
  .meta({ id: 'JobCanceled' })

export type JobEnded = z.infer<typeof jobEnded>
export type JobItem = z.infer<typeof jobItem>
export type JobListItem = z.infer<typeof jobListItem>
export type Job = z.infer<typeof job>
export type JobStored = z.infer<typeof jobStored>

const tag = 'Jobs (legacy)'
const parameters = { job_id: 'The id of any execution: job, prompt, task or chat message.' }

export const createJob = defineEndpoint({
  id: 'createJob',
  method: 'post',
  path: '/api/jobs',
  tag,
  summary: 'Runs an agent and waits for its end',
  description: 'The job continues when the connection is lost. Prefer `POST /api/prompts`.',
  body: jobBody,
  response: jobEnded,
  submits: true,
  errors: [404, 502],
  example: { pipeline_name: 'researcher', inputs: { query: 'Why is the sky blue?' } },
})

export const listJobs = defineEndpoint({
  id: 'listJobs',
  method: 'get',
  path: '/api/jobs',
  tag,
  summary: 'Lists executions of every kind, newest first',
  description: 'Executions must match all given filters.',
  query: listQuery(50, 'jobs', executionFilter),
  response: jobList,
})

export const getJob = defineEndpoint({
  id: 'getJob',
  method: 'get',
  path: '/api/jobs/{job_id}',
  tag,
  summary: 'Gets one execution with inputs, outputs and token usage',
  parameters,
  response: job,
  errors: [404, 502],
})

export const cancelJob = defineEndpoint({
  id: 'cancelJob',
  method: 'post',
  path: '/api/jobs/{job_id}/cancel',
  tag,
  summary: 'Cancels a running execution',
  parameters,
  response: jobCanceled,
  errors: [404],
})

export const replayJob = defineEndpoint({
  id: 'replayJob',
  method: 'post',
  path: '/api/jobs/{job_id}/replay',
  tag,
  summary: 'Gets the stored result, or runs the job again',
  description:
    'With `reexecute: true`, starts a new execution with the same inputs and waits for its end, unless `wait` is false.',
  parameters,
  body: z
    .object({
      reexecute: z.boolean().default(false).describe('True runs the job again.'),
      wait: z.boolean().default(true).describe('False returns as soon as the new job has been accepted.'),
      no_cache: noCacheField(true),
    })
    .meta({ id: 'ReplayRequest' }),
  bodyOptional: true,
  response: z.union([jobStored, jobReplayed, jobStarted]),
  submits: true,
  errors: [404, 502],
  example: { reexecute: true },
})
