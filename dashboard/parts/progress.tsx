import type { Schema } from '../../client/index.ts'

/** How far a batch is; the words beside it say the same. */
export function Progress({ summary }: { summary: Schema<'BatchSummary'> }) {
  const { total_expected: total, succeeded, failed, recorded } = summary
  const share = (count: number): string => `${total === 0 ? 0 : (count / total) * 100}%`
  return (
    <span
      className="progress"
      role="progressbar"
      aria-label="Tasks that have ended"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={recorded}
    >
      <span className="progress-part" data-part="succeeded" style={{ width: share(succeeded) }} />
      <span className="progress-part" data-part="failed" style={{ width: share(failed) }} />
    </span>
  )
}
