import type { Context } from '../context.ts'
import { findSubject } from '../find-subject.ts'
import { followExecution } from '../follow-execution.ts'
import { interruptedError } from '../interrupt.ts'
import { LiveText } from '../live-text.ts'
import { printOutcome } from '../print-execution.ts'
import { followBatch } from '../follow-batch.ts'
import { EXIT } from '../exit-code.ts'

/** `troupe watch ID`: prints the events of an execution, or the progress of a batch, until its end. */
export async function watch(
  context: Context,
  [given]: [string],
  { after, live }: { after?: number; live?: boolean },
): Promise<number> {
  const { troupe, terminal, signal } = context
  const subject = await findSubject(context, given)
  if (subject.kind === 'batch') return followBatch(context, given)
  const { prompt_id: id, prompt_name: agent } = subject.execution
  const isJson = terminal.options.json
  try {
    const text = live === true ? new LiveText((piece, begins) => terminal.piece(piece, begins)) : undefined
    const end = await followExecution(context, { id, agent, after, live: text, print: (line) => terminal.line(line) })
    if (!isJson) return printOutcome(await troupe.prompts.get(id, { signal }), terminal)
    terminal.line(JSON.stringify({ type: 'complete', status: end.status, outputs: end.outputs, error: end.error }))
    return end.status === 'completed' ? EXIT.ok : EXIT.failed
  } catch (error) {
    if (!signal.aborted) throw error
    throw interruptedError(`${id} continues. To follow it again, run "troupe watch ${id}".`)
  }
}
