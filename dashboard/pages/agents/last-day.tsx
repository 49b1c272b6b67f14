import type { Schema } from '../../../client/index.ts'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/store.ts'
import { formatCount, formatTime } from '../../parts/format.ts'

/** How many runs of an agent failed of those that ended in the last 24 hours; who was canceled neither failed nor succeeded. */
export function LastDay({ day: { since, completed, failed, canceled } }: { day: Schema<'Agent'>['last_day'] }) {
  const { zone } = useStore(preferences)
  const ended = completed + failed
  const whole = `Since ${formatTime(since, zone)}: ${formatCount(completed)} completed, ${formatCount(failed)} failed, ${formatCount(canceled)} canceled`
  return (
    <span className={failed > 0 ? 'number bad' : 'number'} title={whole} data-failed={failed} data-ended={ended}>
      {ended === 0 ? '–' : `${formatCount(failed)} of ${formatCount(ended)}`}
      {failed > 0 && ` (${percentText(failed / ended)})`}
    </span>
  )
}

/** Never 0 % of what failed, nor 100 % of what did not all fail. */
function percentText(share: number): string {
  if (share < 0.01) return 'below 1 %'
  return share > 0.99 && share < 1 ? 'above 99 %' : `${Math.round(share * 100)} %`
}
