import { durationText, budgetText, costText } from '../../client/index.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { findSubject } from '../find-subject.ts'
import { noWorkerNote } from '../no-worker-note.ts'
import { printBatch } from '../print-batch.ts'
import { textOf } from '../print-execution.ts'
import { paintStatus } from '../terminal.ts'

/** `troupe get ID`: prints the current state of an execution or a batch. */
export async function get(context: Context, [id]: [string]): Promise<number> {
  const { terminal } = context
  const subject = await findSubject(context, id)
  if (subject.kind === 'batch') {
    printBatch(subject.batch, terminal)
    return EXIT.ok
  }
  const { execution } = subject
  if (terminal.options.json) {
    terminal.document(execution)
    return EXIT.ok
  }
  const { status, created_at, completed_at, token_usage: usage } = execution
  const durationMs = Date.parse(completed_at ?? new Date().toISOString()) - Date.parse(created_at)
  const rows: [string, string][] = [
    ['id', execution.prompt_id],
    ['agent', execution.prompt_name],
    ['status', paintStatus(status, status)],
    ['created', created_at],
    ['duration', durationText(durationMs)],
    ['tokens', `${usage.prompt_tokens} → ${usage.completion_tokens}`],
    ['cost', costText(execution.cost)],
    ...(execution.budget == null ? [] : [['budget', budgetText(execution.budget)] as [string, string]]),
    ['inputs', JSON.stringify(execution.inputs)],
    ...(execution.error === null ? [] : [['error', execution.error] as [string, string]]),
    ...(execution.outputs === null ? [] : [['output', textOf(execution.outputs)] as [string, string]]),
  ]
  terminal.record(rows)
  if (status === 'running') await noWorkerNote(context, execution.prompt_name)
  return EXIT.ok
}
