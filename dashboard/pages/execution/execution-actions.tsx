import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schema } from '../../../client/index.ts'
import { useOffered } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { CopyMenu } from '../../parts/copy-menu.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { downloadJson } from '../../parts/download.ts'
import { notify } from '../../shell/toasts.tsx'

/** Cancel while it runs; replay, edit, download and delete. */
export function ExecutionActions({ job }: { job: Schema<'Job'> }) {
  const { job_id: id } = job
  const navigate = useNavigate()
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
    <div className="actions">
      {job.status === 'running' ? (
        <CancelButton id={id} />
      ) : (
        <button type="button" disabled={replay.isPending} onClick={() => replay.mutate()}>
          Replay
        </button>
      )}
      <Link className="button" to="/playground" search={{ from: id }}>
        Edit and run
      </Link>
      <button type="button" onClick={() => downloadJson(job, `execution-${id}.json`)}>
        Download
      </button>
      <CopyMenu path={`/api/jobs/${id}`} code={`await troupe.prompts.get('${id}')`} />
      <DeleteButton id={id} ended={job.completed_at !== null} />
    </div>
  )
}

function CancelButton({ id }: { id: string }) {
  const [asked, setAsked] = useState(false)
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => troupe().prompts.cancel(id),
    onSuccess: ({ ok, status }) => notify(ok ? 'Canceled.' : `It had ended before: ${status}.`),
    onError: (error) => notify(error.message),
    onSettled: async () => {
      setAsked(false)
      await client.invalidateQueries({ queryKey: ['job', id] })
    },
  })
  return (
    <>
      <button type="button" className="danger" onClick={() => setAsked(true)}>
        Cancel
      </button>
      {asked && (
        <Confirm
          title="Cancel this execution?"
          action="Cancel 1 execution"
          busy={cancel.isPending}
          onConfirm={() => cancel.mutate()}
          onClose={() => setAsked(false)}
        >
          It ends at once and for good; calls to models and tools that are under way are broken off.
        </Confirm>
      )}
    </>
  )
}

/** Only where the service can delete. */
function DeleteButton({ id, ended }: { id: string; ended: boolean }) {
  const [asked, setAsked] = useState(false)
  const navigate = useNavigate()
  const offered = useOffered().has('delete /api/jobs/{job_id}')
  const remove = useMutation({
    mutationFn: () => troupe().request('delete' as never, '/api/jobs/{job_id}', { path: { job_id: id } } as never),
    onSuccess: () => navigate({ to: '/executions' }),
    onError: (error) => notify(error.message),
    onSettled: () => setAsked(false),
  })
  if (!offered || !ended) return null
  return (
    <>
      <button type="button" className="danger" onClick={() => setAsked(true)}>
        Delete
      </button>
      {asked && (
        <Confirm
          title="Delete this execution?"
          action="Delete 1 execution"
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsked(false)}
        >
          Its trace, its steps and its stored objects go with it. This cannot be taken back.
        </Confirm>
      )}
    </>
  )
}
