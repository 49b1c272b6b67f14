import type { Schema } from '../../client/index.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { followBatch } from '../follow-batch.ts'
import { printBatch } from '../print-batch.ts'
import { oneLine, type Column } from '../table.ts'
import { paintStatus, type Terminal } from '../terminal.ts'
import { formatTime } from '../time.ts'

/** `troupe batch get ID`. */
export async function getBatch({ troupe, terminal, signal }: Context, [id]: [string]): Promise<number> {
  printBatch(await troupe.batches.get(id, { results: false }, { signal }), terminal)
  return EXIT.ok
}

/** `troupe batch watch ID`. */
export function watchBatch(context: Context, [id]: [string]): Promise<number> {
  return followBatch(context, id)
}

/** `troupe batch cancel ID`. */
export async function cancelBatch({ troupe, terminal, signal }: Context, [id]: [string]): Promise<number> {
  const canceled = await troupe.batches.cancel(id, { signal })
  if (terminal.options.json) terminal.document(canceled)
  else terminal.line(`${id}\t${canceled.ok ? 'canceled' : `already ended: ${canceled.status}`}`)
  return canceled.ok ? EXIT.ok : EXIT.failed
}

/** `troupe batch list`. */
export async function listBatches(
  { troupe, terminal, signal }: Context,
  _: [],
  { limit }: { limit: number },
): Promise<number> {
  const items: Schema<'BatchItem'>[] = []
  for await (const item of troupe.batches.list({ limit: Math.min(limit, 100) }, { signal })) {
    items.push(item)
    if (items.length >= limit) break
  }
  // Omits task ids, which may be very many; `batch get` prints them.
  const batches = items.map(({ job_ids: _jobs, task_ids: _tasks, ...rest }) => rest)
  terminal.list(batches, columns(terminal))
  return EXIT.ok
}

type Row = Omit<Schema<'BatchItem'>, 'job_ids' | 'task_ids'>

function columns({ options: { utc } }: Terminal): Column<Row>[] {
  return [
    { header: 'BATCH', cell: ({ batch_id }) => batch_id, flexible: true },
    { header: 'STATUS', cell: ({ status }) => status, paint: (text, { status }) => paintStatus(text, status) },
    { header: 'AGENT', cell: ({ agent_name }) => oneLine(agent_name), flexible: true },
    { header: 'TASKS', cell: ({ task_count }) => String(task_count), align: 'right' },
    { header: 'CREATED', cell: ({ created_at }) => formatTime(created_at, utc), raw: ({ created_at }) => created_at },
  ]
}
