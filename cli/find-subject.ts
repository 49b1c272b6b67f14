import { TroupeError, type Schema } from '../client/index.ts'
import { CommandError } from './command-error.ts'
import type { Context } from './context.ts'
import { EXIT } from './exit-code.ts'
import { FINDING } from './failure.ts'

/** What an id refers to. */
export type Subject = { kind: 'execution'; execution: Schema<'Prompt'> } | { kind: 'batch'; batch: Schema<'Batch'> }

/** The beginning of an execution id, at least as long as in the dashboard. */
const PREFIX = /^[0-9a-f][0-9a-f-]{3,34}$/i

/** Finds an execution by its id or the beginning of it, or a batch by its id. @throws CommandError when there is neither */
export async function findSubject(context: Context, id: string): Promise<Subject> {
  const { troupe, signal } = context
  try {
    return { kind: 'execution', execution: await troupe.prompts.get(id, { signal }) }
  } catch (error) {
    if (!isUnknown(error)) throw error
  }
  try {
    return { kind: 'batch', batch: await troupe.batches.get(id, { results: false }, { signal }) }
  } catch (error) {
    if (!isUnknown(error)) throw error
  }
  const whole = await wholeId(context, id)
  if (whole !== id) return { kind: 'execution', execution: await troupe.prompts.get(whole, { signal }) }
  throw new CommandError(EXIT.notFound, `No execution or batch has the id ${id}. ${FINDING}`)
}

/**
 * Completes the beginning of an execution id; returns it unchanged when it is complete or matches no execution.
 * @throws CommandError when several ids match
 */
export async function wholeId({ troupe, signal }: Context, given: string): Promise<string> {
  if (!PREFIX.test(given)) return given
  const query = { id_prefix: given.toLowerCase(), limit: 2 }
  const { jobs } = await troupe.request('get', '/api/jobs', { query, signal })
  const [found, another] = jobs
  if (found === undefined) return given
  if (another === undefined) return found.job_id
  const sentence = `The ids of several executions begin with ${given}, such as ${found.job_id} and ${another.job_id}.`
  throw new CommandError(EXIT.usage, `${sentence} Pass more characters of the id.`)
}

function isUnknown(error: unknown): boolean {
  return error instanceof TroupeError && error.status === 404
}
