import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { executionFilter } from './executions.ts'
import { count } from './fields.ts'

const { kind, since, until, id_prefix } = executionFilter
// An empty name is rejected: ignoring it would widen the filter and cancel executions of others.
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
      .meta({
        minProperties: 1,
        description: 'Selects running executions; the fields have the same meaning as in `GET /api/jobs`.',
      }),
    dry_run: z.boolean().default(false).describe('True counts the matching executions without canceling them.'),
  })
  .meta({ id: 'CancelJobsRequest' })

const jobsCanceled = z
  .object({
    matched: count.describe('Running executions that match the filter.'),
    canceled: count,
    already_ended: count.describe('Executions that ended before they could be canceled.'),
    failed: count.describe('Executions that could not be canceled now; send the request again.'),
  })
  .meta({ id: 'JobsCanceled' })

export type JobsCanceled = z.infer<typeof jobsCanceled>

export const cancelJobs = defineEndpoint({
  id: 'cancelJobs',
  method: 'post',
  path: '/api/jobs/cancel',
  tag: 'Jobs (legacy)',
  summary: 'Cancels all running executions that match a filter',
  description: 'With `dry_run: true`, counts them without canceling any.',
  body: cancelJobsBody,
  response: jobsCanceled,
  // There may be any number of executions. If the client disconnects, the remaining ones keep running.
  prompt: false,
  example: { filter: { agent: 'researcher', since: '1h' }, dry_run: true },
})
