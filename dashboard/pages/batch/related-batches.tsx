import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../../client/index.ts'
import { troupe } from '../../api/session.ts'
import { formatCount } from '../../parts/format.ts'
import { originOf } from './retries.ts'

/** Of the batches that were made since, the newest, which are looked through. */
const LOOKED_THROUGH = 1_000

/** The batch whose failed tasks this one runs again, and those that run its own again: as far as their ids say so. */
export function RelatedBatches({ grid: { batch_id: id, created_at, summary } }: { grid: Schema<'BatchGrid'> }) {
  const { data: origin } = useQuery({
    queryKey: ['batch-origin', id],
    queryFn: ({ signal }) =>
      troupe().batches.get(originOf(id) ?? '', { results: false, inputs: false, ids: false }, { signal }),
    enabled: originOf(id) !== undefined,
    staleTime: Infinity,
  })
  const { data: retries = [] } = useQuery({
    queryKey: ['batch-retries', id],
    queryFn: ({ signal }) => findRetries(id, created_at, signal),
    enabled: summary.failed > 0,
  })
  return (
    <>
      {origin !== undefined && (
        <p className="note note-calm">
          It runs failed tasks of <ToBatch id={origin.batch_id} /> again.
        </p>
      )}
      {retries.length > 0 && (
        <p className="note note-calm">
          Tasks that failed were run again in{' '}
          {retries.map(({ batch_id, status, summary: { succeeded, total_expected } }, index) => (
            <span key={batch_id}>
              {index > 0 && ', '}
              <ToBatch id={batch_id} /> ({status}, {formatCount(succeeded)} of {formatCount(total_expected)} succeeded)
            </span>
          ))}
          .
        </p>
      )}
    </>
  )
}

function ToBatch({ id }: { id: string }) {
  return (
    <Link to="/batches/$id" params={{ id }}>
      {id}
    </Link>
  )
}

async function findRetries(id: string, createdAt: string, signal: AbortSignal): Promise<Schema<'BatchItem'>[]> {
  const found: Schema<'BatchItem'>[] = []
  let seen = 0
  for await (const batch of troupe().batches.list({ ids: false }, { signal })) {
    if (batch.created_at < createdAt || ++seen > LOOKED_THROUGH) break
    if (originOf(batch.batch_id) === id) found.unshift(batch)
  }
  return found
}
