import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { count } from './fields.ts'

/** Response of both deletions. */
const deleted = z
  .object({
    ok: z.boolean(),
    id: z.string(),
    deleted: z.object({
      executions: count.describe('Deleted executions; for a batch, its tasks.'),
      traces: count,
      steps: count,
      objects: count.describe('Objects deleted from the object store.'),
    }),
  })
  .meta({ id: 'Deleted' })

const description =
  'Also deletes its traces, steps and stored objects. This cannot be undone. The totals of the metrics do not change. ' +
  'Returns 409 while it is running.'

export const deleteJob = defineEndpoint({
  id: 'deleteJob',
  method: 'delete',
  role: 'admin',
  path: '/api/jobs/{job_id}',
  tag: 'Jobs (legacy)',
  summary: 'Deletes an execution that has ended',
  description: `${description} Also returns 409 for a task of a batch: delete the batch instead.`,
  parameters: { job_id: 'The id of any execution: job, prompt or chat message.' },
  response: deleted,
  errors: [404, 409, 502],
})

export const deleteBatch = defineEndpoint({
  id: 'deleteBatch',
  method: 'delete',
  role: 'admin',
  path: '/api/batches/{batch_id}',
  tag: 'Batches',
  summary: 'Deletes a batch that has ended, with all of its tasks',
  description: `${description} The id can be used for a new batch afterwards.`,
  // The duration depends on the number of tasks. A started deletion continues, so an early error response would mislead.
  prompt: false,
  parameters: { batch_id: 'The id of the batch.' },
  response: deleted,
  errors: [404, 409, 502],
})
