import { durationText } from '../../../client/index.ts'
import type { Schema } from '../../../client/index.ts'
import { useServerNow } from '../../live/clock.ts'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/store.ts'
import { formatClock, formatTime } from '../../parts/format.ts'
import { StatusIcon } from '../../parts/status-icon.tsx'

const REASONS: Record<string, string> = {
  rate_limited: 'its rate limit is reached',
  provider_timeout: 'the provider does not answer in time',
  provider_unavailable: 'the provider is not available',
  provider_error: 'the provider reports an error of its own',
}

/** Until when an account is left alone, and why. */
export function Cooldown({ cooldown }: { cooldown: NonNullable<Schema<'Account'>['cooldown']> }) {
  const { since, until, code } = cooldown
  const { zone } = useStore(preferences)
  const leftMs = Math.max(0, Date.parse(until) - useServerNow(1_000))
  return (
    <span className="cooldown" title={`since ${formatTime(since, zone)}`}>
      <StatusIcon shape="clock" />
      <span>
        cools down until{' '}
        <time dateTime={until} className="number">
          {formatClock(until, zone)}
        </time>{' '}
        <span className="number">({durationText(Math.ceil(leftMs / 1_000) * 1_000)} left)</span>:{' '}
        {REASONS[code] ?? code.replaceAll('_', ' ')}
      </span>
    </span>
  )
}
