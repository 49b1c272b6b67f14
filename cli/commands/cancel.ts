import { CommandError } from '../command-error.ts'
import { confirm } from '../confirm.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { findSubject } from '../find-subject.ts'
import { number } from '../progress-line.ts'

interface CancelOptions {
  running?: boolean
  agent?: string
  yes?: boolean
}

interface Canceled {
  id: string
  ok: boolean
  status: string
}

/** `troupe cancel ID…` or `troupe cancel --running`, which asks for confirmation with the number of executions. */
export async function cancel(context: Context, [given]: [string[]], options: CancelOptions): Promise<number> {
  const { terminal } = context
  const ids = options.running === true ? await runningIds(context, options) : given
  if (ids.length === 0) {
    if (options.running !== true)
      throw new CommandError(EXIT.usage, 'Pass ids, or --running to cancel all running executions.')
    terminal.note('Nothing runs.')
  }
  const canceled: Canceled[] = []
  for (const id of ids) canceled.push(await cancelOne(context, id))
  terminal.list(canceled, [
    { header: 'ID', cell: ({ id }) => id },
    { header: 'RESULT', cell: ({ ok, status }) => (ok ? 'canceled' : `already ended: ${status}`) },
  ])
  return canceled.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed
}

async function runningIds({ troupe, signal }: Context, { agent, yes = false }: CancelOptions): Promise<string[]> {
  const ids: string[] = []
  for await (const { job_id } of troupe.jobs.list({ status: 'running', agent, limit: 1_000 }, { signal }))
    ids.push(job_id)
  const question = `Cancel ${number(ids.length)} running executions${agent === undefined ? '' : ` of ${agent}`}?`
  if (ids.length > 0 && !yes) await confirm(question)
  return ids
}

async function cancelOne(context: Context, given: string): Promise<Canceled> {
  const { troupe, signal } = context
  const subject = await findSubject(context, given)
  const id = subject.kind === 'batch' ? given : subject.execution.prompt_id
  const { ok, status } =
    subject.kind === 'batch' ? await troupe.batches.cancel(id, { signal }) : await troupe.prompts.cancel(id, { signal })
  return { id, ok, status }
}
