import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { executionFilter } from './executions.ts'
import { count } from './fields.ts'

const { kind, since, until, id_prefix } = executionFilter
// An empty name is a mistake here: taken for none, it would cancel what others submitted.
const name = z.string().min(1).optional()
const filter = {
  kind,
  agent: name.describe('Only executions of this agent.'),
  batch_id: name.describe('Only tasks of this batch.'),
  since,
  until,
  id_prefix,
}

/** Body of POST /api/jobs/cancel. */
const cancelJobsBody = z
  .object({
    filter: z
      .object(filter)
      .refine((given) => Object.values(given).some((value) => value !== undefined), {
        error: 'must hold at least one of kind, agent, batch_id, since, until and id_prefix',
      })
      .meta({ minProperties: 1, description: 'Which of the running executions; as in `GET /api/jobs`.' }),
    dry_run: z.boolean().default(false).describe('True only counts.'),
  })
  .meta({ id: 'CancelJobsRequest' })

const jobsCanceled = z
  .object({
    matched: count.describe('Running executions that the filter fits.'),
    canceled: count,
    already_ended: count.describe('They ended before they could be canceled.'),
    failed: count.describe('They could not be canceled now; ask again.'),
  })
  .meta({ id: 'JobsCanceled' })

export type JobsCanceled = z.infer<typeof jobsCanceled>

export const cancelJobs = defineEndpoint({
  id: 'cancelJobs',
  method: 'post',
  path: '/api/jobs/cancel',
  tag: 'Jobs (legacy)',
  summary: 'Cancels all running executions that a filter fits',
  description: 'With `dry_run` it says how many there are and cancels nothing.',
  body: cancelJobsBody,
  answer: jobsCanceled,
  // As many as there are; whoever leaves before the answer leaves the rest of them running.
  prompt: false,
  example: { filter: { agent: 'researcher', since: '1h' }, dry_run: true },
})
