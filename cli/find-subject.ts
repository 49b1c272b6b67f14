import { TroupeError, type Schema } from '../client/index.ts'
import { CommandError } from './command-error.ts'
import type { Context } from './context.ts'
import { EXIT } from './exit-code.ts'
import { FINDING } from './failure.ts'

/** What an id stands for. */
export type Subject = { kind: 'execution'; execution: Schema<'Prompt'> } | { kind: 'batch'; batch: Schema<'Batch'> }

/** The beginning of an execution's id, as the dashboard shows it or longer. */
const PREFIX = /^[0-9a-f][0-9a-f-]{3,34}$/i

/** Finds what has this id, or begins so: an execution of any kind, or a batch. @throws CommandError when there is neither */
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
  throw new CommandError(EXIT.notFound, `There is no execution and no batch ${id}. ${FINDING}`)
}

/**
 * The id of the one execution whose id begins so; the same again when it is whole, or none begins so.
 * @throws CommandError when several do
 */
export async function wholeId({ troupe, signal }: Context, given: string): Promise<string> {
  if (!PREFIX.test(given)) return given
  const query = { id_prefix: given.toLowerCase(), limit: 2 }
  const { jobs } = await troupe.request('get', '/api/jobs', { query, signal })
  const [found, another] = jobs
  if (found === undefined) return given
  if (another === undefined) return found.job_id
  const sentence = `The ids of several executions begin with ${given}, such as ${found.job_id} and ${another.job_id}.`
  throw new CommandError(EXIT.usage, `${sentence} Give more of it.`)
}

function isUnknown(error: unknown): boolean {
  return error instanceof TroupeError && error.status === 404
}
