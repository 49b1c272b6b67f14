import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { wholeId } from '../find-subject.ts'
import { readInputs } from '../inputs.ts'
import { interruptedError } from '../interrupt.ts'
import { textOf } from '../print-execution.ts'
import { submit, type RunOptions } from './run.ts'

/** `troupe replay ID`: runs a new execution with the same or changed inputs and waits for its end. */
export async function replay(context: Context, [given]: [string], options: RunOptions): Promise<number> {
  const { troupe, terminal, signal } = context
  const id = await wholeId(context, given)
  const isChanged = [options.input, options.inputs, options.text].some((option) => option !== undefined)
  if (isChanged) {
    const { agents, inputs } = await troupe.jobs.get(id, { signal })
    return submit(context, agents, await readInputs(options, inputs), options)
  }
  try {
    const replayed = await troupe.jobs.replay(id, { reexecute: true }, { signal })
    const { status } = replayed
    terminal.note(replayed.job_id)
    if (terminal.options.json) terminal.document(replayed)
    else if (status === 'success') terminal.line(textOf(replayed.result))
    else terminal.error(`${replayed.job_id} ended with ${status}: ${'error' in replayed ? replayed.error : 'unknown'}`)
    return status === 'success' ? EXIT.ok : EXIT.failed
  } catch (error) {
    if (!signal.aborted) throw error
    throw interruptedError('The replay continues; "troupe list" shows it.')
  }
}
