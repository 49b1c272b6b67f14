import { durationText } from '../../client/index.ts'
import type { QueryOf, Schema } from '../../client/index.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import type { Column } from '../table.ts'
import { paint, paintStatus, type Terminal } from '../terminal.ts'
import { formatTime } from '../time.ts'

type Job = Schema<'JobItem'>

interface ListOptions extends Omit<
  QueryOf<'/api/jobs', 'get'>,
  'limit' | 'offset' | 'cursor' | 'batch_id' | 'id_prefix'
> {
  batch?: string
  id?: string
  limit: number
  all?: boolean
}

/** The maximum page size of the service. */
const PAGE = 1_000

/** `troupe list`: executions, newest first. */
export async function list(
  { troupe, terminal, signal }: Context,
  _: [],
  { limit, all = false, batch, id, ...filter }: ListOptions,
): Promise<number> {
  const found: Job[] = []
  const query = { ...filter, batch_id: batch, id_prefix: id, limit: all ? PAGE : Math.min(PAGE, limit) }
  for await (const job of troupe.jobs.list(query, { signal })) {
    found.push(job)
    if (!all && found.length >= limit) break
  }
  terminal.list(found, columns(terminal))
  return EXIT.ok
}

function columns({ options: { utc } }: Terminal): Column<Job>[] {
  const duration = ({ created_at, completed_at }: Job): number | undefined =>
    completed_at === null ? undefined : Date.parse(completed_at) - Date.parse(created_at)
  return [
    { header: 'ID', cell: ({ job_id }) => job_id },
    { header: 'STATUS', cell: ({ status }) => status, paint: (text, { status }) => paintStatus(text, status) },
    { header: 'AGENT', cell: ({ pipeline_name }) => pipeline_name, flexible: true },
    { header: 'CREATED', cell: ({ created_at }) => formatTime(created_at, utc), raw: ({ created_at }) => created_at },
    {
      header: 'DURATION',
      align: 'right',
      cell: (job) => (duration(job) === undefined ? '' : durationText(duration(job) ?? 0)),
      raw: (job) => String(duration(job) ?? ''),
    },
    { header: 'ERROR', cell: ({ error }) => error ?? '', flexible: true, paint: (text) => paint('red', text) },
  ]
}
