import type { Schema } from '../../client/index.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import type { Column } from '../table.ts'
import { paintStatus, type Terminal } from '../terminal.ts'
import { formatDuration, formatTime } from '../time.ts'

type Job = Schema<'JobItem'>

/** Which executions are listed. */
export interface JobFilter {
  status?: string
  agent?: string
  /** Milliseconds before now. */
  since?: number
}

interface ListOptions extends JobFilter {
  limit: number
  all?: boolean
}

/** `troupe list`: executions, newest first. */
export async function list(context: Context, _: [], { limit, all, ...filter }: ListOptions): Promise<number> {
  const { terminal } = context
  const found: Job[] = []
  for await (const job of matchingJobs(context, filter)) {
    found.push(job)
    if (all !== true && found.length >= limit) break
  }
  terminal.list(found, columns(terminal))
  return EXIT.ok
}

/** Executions that match, newest first. */
export async function* matchingJobs(
  { troupe, signal }: Context,
  { status, agent, since }: JobFilter,
): AsyncGenerator<Job, void, undefined> {
  const oldest = since === undefined ? -Infinity : Date.now() - since
  for await (const job of troupe.jobs.list({}, { signal })) {
    if (Date.parse(job.created_at) < oldest) return
    if (status !== undefined && job.status !== status) continue
    if (agent !== undefined && job.pipeline_name !== agent) continue
    yield job
  }
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
      cell: (job) => (duration(job) === undefined ? '' : formatDuration(duration(job) ?? 0)),
      raw: (job) => String(duration(job) ?? ''),
    },
  ]
}
