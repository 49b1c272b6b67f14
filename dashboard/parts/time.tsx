import { durationText } from '../../client/index.ts'
import { useServerNow } from '../live/clock.ts'
import { preferences } from '../live/preferences.ts'
import { useStore } from '../live/store.ts'
import { formatAgo, formatTime } from './format.ts'

/** A moment, whole. */
export function Moment({ at }: { at: string | null }) {
  const { zone } = useStore(preferences)
  if (at === null) return <span className="dim">–</span>
  return (
    <time dateTime={at} className="number">
      {formatTime(at, zone)}
    </time>
  )
}

/** How long ago a moment was; whole in the tooltip. */
export function Ago({ at }: { at: string | null }) {
  const now = useServerNow(at === null ? 0 : 1_000)
  const { zone } = useStore(preferences)
  if (at === null) return <span className="dim">never</span>
  return (
    <time dateTime={at} title={`${formatTime(at, zone)} · ${formatTime(at, 'utc')}`}>
      {formatAgo(at, now)}
    </time>
  )
}

/** How long it took, or has been going on. */
export function Duration({ from, to }: { from: string; to: string | null }) {
  const now = useServerNow(to === null ? 1_000 : 0)
  const endMs = to === null ? now : Date.parse(to)
  return <span className="number">{durationText(Math.max(0, endMs - Date.parse(from)))}</span>
}
