import { durationText } from '../client/index.ts'
import type { Rate } from './progress-rate.ts'

const BAR_WIDTH = 24

/** `█████░░░ 1,200 of 3,000 (40 %), 85/s, 21.2 s left` */
export function progressLine(done: number, total: number, { perSecond, remainingMs, stalledMs }: Rate): string {
  const share = total === 0 ? 1 : done / total
  const filled = Math.round(share * BAR_WIDTH)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`
  const parts = [`${bar} ${number(done)} of ${number(total)} (${Math.floor(share * 100)} %)`]
  if (stalledMs !== null) parts.push(`no progress for ${durationText(stalledMs)}`)
  if (perSecond !== null && perSecond > 0)
    parts.push(`${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`)
  if (remainingMs !== null && done < total) parts.push(`${durationText(remainingMs)} left`)
  return parts.join(', ')
}

/** Formats a count with thousands separators. */
export function number(count: number): string {
  return count.toLocaleString('en-US')
}
