/** The remaining wait of a call that has waited here for long enough. Times are in ms. */
export interface HoldUp {
  /** The time that the other waiting calls take to begin at the latest pace. */
  queueMs: number
  /** The rest of the account's cool-down; undefined if there is none. */
  coolingMs: number | undefined
  /** How long the provider has been pushing back. */
  pushedBackMs: number
  /** The provider recovers and serves more and more, so its past pace does not predict the future. */
  isRecovering: boolean
}

const LONGEST_QUEUE_MS = 300_000
const LONGEST_OUTAGE_MS = 75_000
const LEAST_MS = 15_000
const JITTER = 0.2

/**
 * The delay in ms until the call asks again: after the other waiting calls, and during a cool-down later the longer the
 * provider has been pushing back.
 */
export function askAgainInMs({ queueMs, coolingMs, pushedBackMs, isRecovering }: HoldUp, random: number): number {
  const queue = Math.min(queueMs, isRecovering ? LONGEST_OUTAGE_MS : LONGEST_QUEUE_MS)
  const cooling = Math.max(coolingMs ?? 0, Math.min(pushedBackMs / 2, LONGEST_OUTAGE_MS))
  return Math.max(LEAST_MS, coolingMs === undefined ? queue : cooling) * (1 + JITTER * random)
}

/** In a long cool-down this many calls wait in a worker, to find its end and to continue at once. */
const ENOUGH_TO_GO_ON = 20

/**
 * Whether a wait is pointless, because the cool-down is long and enough other calls wait.
 * @param before - waiting calls with an earlier turn.
 * @param longestWaitMs - undefined for a call without a limit.
 */
export function waitsInVain(
  { coolingMs, pushedBackMs }: HoldUp,
  before: number,
  longestWaitMs: number | undefined,
): boolean {
  if (coolingMs === undefined || longestWaitMs === undefined) return false
  return before >= ENOUGH_TO_GO_ON && Math.max(coolingMs, pushedBackMs) > longestWaitMs
}
