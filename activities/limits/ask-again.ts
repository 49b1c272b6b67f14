/** What a call that waited here for long enough still has to wait for. Times in ms. */
export interface HoldUp {
  /** How long those that wait with it take to begin, at the latest pace. */
  queueMs: number
  /** How long the account cools down; undefined while it does not. */
  coolingMs: number | undefined
  /** How long the provider has pushed back by now. */
  pushedBackMs: number
  /** The provider has pushed back, and serves more and more: its pace is no measure of what comes. */
  isRecovering: boolean
}

const LONGEST_QUEUE_MS = 300_000
const LONGEST_OUTAGE_MS = 75_000
const LEAST_MS = 15_000
const JITTER = 0.2

/** In how many ms the call asks again: behind those that wait with it; in a cool-down later the longer the provider has pushed back. */
export function askAgainInMs({ queueMs, coolingMs, pushedBackMs, isRecovering }: HoldUp, random: number): number {
  const queue = Math.min(queueMs, isRecovering ? LONGEST_OUTAGE_MS : LONGEST_QUEUE_MS)
  const cooling = Math.max(coolingMs ?? 0, Math.min(pushedBackMs / 2, LONGEST_OUTAGE_MS))
  return Math.max(LEAST_MS, coolingMs === undefined ? queue : cooling) * (1 + JITTER * random)
}

/** In a long cool-down so many wait in a worker, to find out that it is over and to go on at once. */
const ENOUGH_TO_GO_ON = 20

/**
 * Whether a call would only wait for its time to be up: the cool-down is long, and enough wait already.
 * @param before - those that wait and draw before it.
 * @param longestWaitMs - undefined for a call that waits for as long as it takes.
 */
export function waitsInVain(
  { coolingMs, pushedBackMs }: HoldUp,
  before: number,
  longestWaitMs: number | undefined,
): boolean {
  if (coolingMs === undefined || longestWaitMs === undefined) return false
  return before >= ENOUGH_TO_GO_ON && Math.max(coolingMs, pushedBackMs) > longestWaitMs
}
