import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Schema } from '../../../client/index.ts'
import { useMaySubmit, useRole } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { CopyMenu } from '../../parts/copy-menu.tsx'
import { formatCount } from '../../parts/format.ts'
import { notify } from '../../shell/toasts.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { Neighbors } from './neighbors.tsx'

/** Cancel while it runs; replay, edit, download and delete. */
export function ExecutionActions({ job }: { job: Schema<'Job'> }) {
  const { job_id: id } = job
  const navigate = useNavigate()
  const maySubmit = useMaySubmit()
  // A task is deleted with its batch.
  const mayDelete = useRole() === 'admin' && job.completed_at !== null && job.kind !== 'task'
  const replay = useMutation({
    mutationFn: () =>
      troupe().request('post', '/api/jobs/{job_id}/replay', {
        path: { job_id: id },
        body: { reexecute: true, wait: false },
        idempotencyKey: crypto.getRandomValues(new Uint32Array(4)).join('-'),
      }),
    onSuccess: async ({ job_id }) => {
      notify('The replay runs.')
      await navigate({ to: '/executions/$id', params: { id: job_id } })
    },
    onError: (error) => notify(error.message),
  })
  return (
    <div className="actions" data-actions>
      {maySubmit && job.status === 'running' && <CancelButton id={id} />}
      {maySubmit && job.status !== 'running' && (
        <button type="button" data-shortcut="r" disabled={replay.isPending} onClick={() => replay.mutate()}>
          Replay
        </button>
      )}
      {maySubmit && (
        <Link className="button" to="/playground" search={{ from: id }}>
          Edit and run
        </Link>
      )}
      <DownloadMenu job={job} />
      <CopyMenu path={`/api/jobs/${id}`} code={`await troupe.prompts.get('${id}')`} command={`get ${id}`} />
      {mayDelete && <DeleteButton id={id} />}
      <Neighbors id={id} />
    </div>
  )
}

function CancelButton({ id }: { id: string }) {
  const client = useQueryClient()
  async function run(): Promise<string> {
    const { ok, status } = await troupe().prompts.cancel(id)
    await client.invalidateQueries({ queryKey: ['job', id] })
    return ok ? 'Canceled.' : `It had ended before: ${status}.`
  }
  return (
    <ConfirmButton label="Cancel" title="Cancel this execution?" action="Cancel 1 execution" run={run} shortcut="x">
      It ends at once and for good; calls to models and tools that are under way are broken off.
    </ConfirmButton>
  )
}

function DeleteButton({ id }: { id: string }) {
  const navigate = useNavigate()
  async function run(): Promise<string> {
    const { deleted } = await troupe().request('delete', '/api/jobs/{job_id}', { path: { job_id: id } })
    await navigate({ to: '/executions' })
    return `Deleted with ${formatCount(deleted.traces)} events.`
  }
  return (
    <ConfirmButton label="Delete" title="Delete this execution?" action="Delete 1 execution" run={run}>
      Its trace, its steps and its stored objects go with it. This cannot be taken back.
    </ConfirmButton>
  )
}
