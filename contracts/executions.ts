import { z } from 'zod'
import { KINDS } from '../core/execution.ts'
import { momentOf } from '../core/moment.ts'
import { filterQuery, momentSchema } from './fields.ts'
import { executionStatus } from './prompts.ts'

/** Kind of an execution: a prompt, a job, a task of a batch or a chat message. */
export const executionKind = z.enum(KINDS)

/** Minimum length of an id prefix in a search; a shorter one would match too many ids. */
const MIN_PREFIX = 4

const idPrefix = z
  .string()
  .regex(/^[0-9a-f-]+$/i, { error: 'must be the beginning of an id' })
  .min(MIN_PREFIX, { error: `must have at least ${MIN_PREFIX} characters` })
  .max(36, { error: 'must be the beginning of an id' })
  .transform((text) => text.toLowerCase())
  .optional()

/** A time in a query: an ISO 8601 time, or a duration before now. */
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
    .meta({ ...momentSchema, description: `${description} An ISO 8601 time, or a duration before now, such as 1h.` })
}

/** The total of a filtered list is counted up to this number. */
export const MAX_TOTAL = 10_000

/** The filters of a list of executions, in a query or a body. An execution must match all of them. */
export const executionFilter = {
  status: executionStatus.optional().describe('Only executions with this status.'),
  kind: executionKind.optional().describe('Only executions of this kind.'),
  agent: filterQuery('Only executions of this agent; for a chain, its prompt_name.'),
  batch_id: filterQuery('Only tasks of this batch.'),
  since: momentQuery('Only executions created at this time or later.'),
  until: momentQuery('Only executions created before this time.'),
  id_prefix: idPrefix.describe(
    `Only executions whose id begins with this prefix of at least ${MIN_PREFIX} characters.`,
  ),
}

/** A validated filter. */
export type ExecutionFilter = Partial<z.output<z.ZodObject<typeof executionFilter>>>
