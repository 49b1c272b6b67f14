import { durationText } from '../../../client/index.ts'
import type { Rate } from './rate.ts'

/** Tasks a second for people: `4.2 /s`. */
export function paceText(tasksPerSecond: number | undefined): string {
  return tasksPerSecond === undefined ? '–' : `${tasksPerSecond.toFixed(tasksPerSecond < 10 ? 1 : 0)} /s`
}

/** The remaining time of a batch as a range, or for how long nothing has ended. */
export function remainingText({ remainingSeconds, stalledSeconds }: Rate): string {
  if (stalledSeconds !== undefined) return `stalled for ${durationText(Math.floor(stalledSeconds) * 1_000)}`
  if (remainingSeconds === undefined) return '–'
  const [least, most] = [remainingSeconds.least, remainingSeconds.most].map((some) =>
    durationText(Math.ceil(some) * 1_000),
  )
  return least === most ? `about ${least}` : `${least} to ${most}`
}
