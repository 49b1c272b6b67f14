import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { count } from './fields.ts'

/** Answer of both deletions. */
const deleted = z
  .object({
    ok: z.boolean(),
    id: z.string(),
    deleted: z.object({
      executions: count.describe('Of a batch: its tasks.'),
      traces: count,
      steps: count,
      objects: count.describe('In the object store.'),
    }),
  })
  .meta({ id: 'Deleted' })

const description =
  'With its traces, steps and stored objects, for good. The totals of the metrics stay as they were. While it runs: 409.'

export const deleteJob = defineEndpoint({
  id: 'deleteJob',
  method: 'delete',
  role: 'admin',
  path: '/api/jobs/{job_id}',
  tag: 'Jobs (legacy)',
  summary: 'Deletes an execution that has ended',
  description: `${description} A task of a batch is deleted with its batch: alone it is 409 too.`,
  parameters: { job_id: 'The id of any execution: job, prompt or chat message.' },
  answer: deleted,
  errors: [404, 409, 502],
})

export const deleteBatch = defineEndpoint({
  id: 'deleteBatch',
  method: 'delete',
  role: 'admin',
  path: '/api/batches/{batch_id}',
  tag: 'Batches',
  summary: 'Deletes a batch that has ended, with all of its tasks',
  description: `${description} Its id can be used again.`,
  // 100,000 tasks take as long as they take; what has begun goes on, and an answer before its end would say nothing.
  prompt: false,
  parameters: { batch_id: 'The id of the batch.' },
  answer: deleted,
  errors: [404, 409, 502],
})
