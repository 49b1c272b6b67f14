import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { SubmitAllOptions, SubmitProgress } from '../../../client/index.ts'
import { useMaySubmit } from '../../api/queries.ts'
import { formatCount } from '../../parts/format.ts'
import { notify } from '../../shell/toasts.tsx'

interface SubmissionProps {
  agent: string
  batchId: string
  /** How many tasks there are to submit. */
  count: number
  /** Submits them in chunks, and goes on where an earlier call was interrupted. */
  send: (options: Pick<SubmitAllOptions, 'signal' | 'onProgress'>) => Promise<SubmitProgress>
}

/** Submits tasks in chunks; can be paused, and goes on where it was. */
export function Submission({ agent, batchId, count, send }: SubmissionProps) {
  const [progress, setProgress] = useState<SubmitProgress>()
  const pausing = useRef<AbortController>(undefined)
  const navigate = useNavigate()
  const maySubmit = useMaySubmit()
  const submit = useMutation({
    mutationFn: () => {
      pausing.current = new AbortController()
      const { signal } = pausing.current
      return send({ signal, onProgress: setProgress })
    },
    onSuccess: async ({ submitted, skipped }) => {
      notify(
        `${formatCount(submitted - skipped)} tasks submitted${skipped > 0 ? `, ${formatCount(skipped)} were there` : ''}.`,
      )
      await navigate({ to: '/batches/$id', params: { id: batchId } })
    },
  })
  useEffect(() => () => pausing.current?.abort(), [])
  const paused = submit.error?.name === 'AbortError'
  return (
    <div className="stack">
      {progress !== undefined && (
        <>
          <progress aria-label="Tasks submitted" max={count} value={progress.submitted} />
          <p className="number" role="status">
            {formatCount(progress.submitted)} of {formatCount(count)} submitted
            {progress.skipped > 0 && ` (${formatCount(progress.skipped)} before)`}
          </p>
        </>
      )}
      {submit.error !== null && !paused && (
        <p className="field-error" role="alert">
          {submit.error.message}
        </p>
      )}
      <div className="actions">
        {submit.isPending ? (
          <button type="button" onClick={() => pausing.current?.abort()}>
            Pause
          </button>
        ) : (
          <button
            type="button"
            className="primary"
            disabled={count === 0 || agent === '' || !maySubmit}
            onClick={() => submit.mutate()}
          >
            {paused ? 'Go on' : `Submit ${formatCount(count)} tasks to ${agent}`}
          </button>
        )}
        {progress !== undefined && progress.submitted > 0 && (
          <Link className="button" to="/batches/$id" params={{ id: batchId }}>
            Watch the batch
          </Link>
        )}
      </div>
    </div>
  )
}
