import { z } from 'zod'
import { KINDS } from '../core/execution.ts'
import { momentOf } from '../core/moment.ts'
import { filterQuery, momentSchema } from './fields.ts'
import { executionStatus } from './prompts.ts'

/** What an execution is: a prompt, a job, a task of a batch or a chat message. */
export const executionKind = z.enum(KINDS)

/** Shortest beginning of an id that is searched for: with fewer characters far too many would match. */
const MIN_PREFIX = 4

const idPrefix = z
  .string()
  .regex(/^[0-9a-f-]+$/i, { error: 'must be the beginning of an id' })
  .min(MIN_PREFIX, { error: `must have at least ${MIN_PREFIX} characters` })
  .max(36, { error: 'must be the beginning of an id' })
  .transform((text) => text.toLowerCase())
  .optional()

/** A moment in a query: an ISO 8601 time, or a duration that counts back from now. */
function momentQuery(description: string) {
  return z
    .string()
    .transform((text, context) => {
      const moment = momentOf(text, new Date())
      if (moment !== undefined) return moment
      context.addIssue({ code: 'custom', message: 'must be a duration such as 30m, 1h or 2d, or an ISO 8601 time' })
      return z.NEVER
    })
    .optional()
    .meta({ ...momentSchema, description: `${description} An ISO 8601 time, or a duration such as 1h back from now.` })
}

/** A list with a filter counts what it has no further. */
export const MAX_TOTAL = 10_000

/** The filters of a list of executions, in its query or in a body; all of them must hold. */
export const executionFilter = {
  status: executionStatus.optional().describe('Only executions of this status.'),
  kind: executionKind.optional().describe('Only executions of this kind.'),
  agent: filterQuery('Only executions of this agent (of a chain: the name that it was submitted under).'),
  batch_id: filterQuery('Only tasks of this batch.'),
  since: momentQuery('Only executions created at this time or later.'),
  until: momentQuery('Only executions created before this time.'),
  id_prefix: idPrefix.describe(`Only executions whose id begins so; at least ${MIN_PREFIX} characters.`),
}

/** A filter as it was checked. */
export type ExecutionFilter = Partial<z.output<z.ZodObject<typeof executionFilter>>>
