import { isDeepStrictEqual } from 'node:util'
import { TroupeError, type Schema, type SubmitAllOptions, type SubmitProgress, type Tasks } from '../client/index.ts'
import { CommandError } from './command-error.ts'
import type { Context } from './context.ts'
import { EXIT } from './exit-code.ts'
import { interruptedError } from './interrupt.ts'
import { number, progressLine } from './progress-line.ts'
import { ProgressRate } from './progress-rate.ts'

/** Tasks to submit to a batch. */
export interface TaskSubmission {
  agent: string
  batchId: string
  chunk?: number | undefined
  total: number
  tasks: Tasks
  body?: SubmitAllOptions['body']
}

/** Number of retries; with the delays of the client, more than a minute, enough for a restart of the service. */
const RETRIES = 12

/** Submits tasks and shows the progress. @throws CommandError that says how to continue, or that the batch has another budget */
export async function submitTasks(
  context: Context,
  { agent, batchId, chunk, total, tasks, body }: TaskSubmission,
): Promise<SubmitProgress> {
  const { troupe, terminal, signal } = context
  if (body?.budget !== undefined) await refuseOtherBudget(context, batchId, body.budget)
  const rate = new ProgressRate()
  let done = 0
  const onProgress = ({ submitted, skipped }: SubmitProgress): void => {
    if (submitted === skipped && skipped > 0) terminal.note(`${number(skipped)} tasks had already been submitted.`)
    done = submitted
    terminal.progress(`submitting ${progressLine(submitted, total, rate.add(submitted, total, Date.now()))}`)
  }
  const options = { batchId, chunk, onProgress, signal, retries: RETRIES, body }
  try {
    const result = await troupe.batches.submitAll(agent, tasks, options)
    if (result.submitted > result.skipped) terminal.note(`Submitted ${number(result.submitted)} tasks.`)
    return result
  } catch (error) {
    const sentence = `Submitted ${number(done)} of ${number(total)} tasks. Repeat the command to continue.`
    if (signal.aborted) throw interruptedError(sentence)
    if (error instanceof TroupeError && error.reason === 'unreachable') {
      throw new CommandError(EXIT.unavailable, `${error.detail} ${sentence}`, { cause: error })
    }
    throw error
  }
}

/** Rejects another budget for an existing batch: the service ignores it, and sees it only while tasks remain. */
async function refuseOtherBudget({ troupe, signal }: Context, id: string, given: Schema<'Budget'>): Promise<void> {
  const light = { results: false, inputs: false, ids: false }
  const batch = await troupe.batches.get(id, light, { signal }).catch((error: unknown) => {
    if (error instanceof TroupeError && error.status === 404) return undefined
    throw error
  })
  if (batch === undefined || isDeepStrictEqual(batch.budgets.budget, given)) return
  const sentence = `Batch "${id}" exists with another budget, which cannot be changed. Omit the budget, or choose another id.`
  throw new CommandError(EXIT.usage, sentence)
}
