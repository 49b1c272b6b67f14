/** How many tasks had ended at a moment. */
export interface Snapshot {
  atMs: number
  recorded: number
}

/** What was seen of a batch. */
export interface Seen {
  /** Of the last minute, the oldest first. */
  snapshots: readonly Snapshot[]
  /** When the number of ended tasks was first seen as it is. */
  changedAtMs: number
}

/** How fast a batch goes, judged by what the service said of it. */
export interface Rate {
  /** Tasks ended a second, over the last ten seconds and over the last minute; undefined while too little is known. */
  now: number | undefined
  minute: number | undefined
  /** Seconds that the rest takes, at the faster and at the slower of both paces; undefined when nothing can be said. */
  remainingSeconds: { least: number; most: number } | undefined
  /** Seconds since a task ended, once that is conspicuous. */
  stalledSeconds: number | undefined
}

const NOW_MS = 10_000
const MINUTE_MS = 60_000
const STALLED_MS = 20_000
const LEAST_MS = 2_000

/** Adds a snapshot; what is older than a minute goes. */
export function withSnapshot(seen: Seen | undefined, next: Snapshot): Seen {
  const before = seen?.snapshots ?? []
  const isSame = seen !== undefined && before.at(-1)?.recorded === next.recorded
  return {
    snapshots: [...before.filter(({ atMs }) => atMs > next.atMs - MINUTE_MS - NOW_MS), next],
    changedAtMs: isSame ? seen.changedAtMs : next.atMs,
  }
}

/** The rate that snapshots tell. */
export function rateOf(seen: Seen | undefined, total: number): Rate {
  const last = seen?.snapshots.at(-1)
  if (seen === undefined || last === undefined)
    return { now: undefined, minute: undefined, remainingSeconds: undefined, stalledSeconds: undefined }
  const { snapshots, changedAtMs } = seen
  const quietMs = last.atMs - changedAtMs
  const stalled = quietMs >= STALLED_MS && last.recorded < total
  const minute = over(snapshots, last, MINUTE_MS)
  const now = over(snapshots, last, NOW_MS)
  const left = total - last.recorded
  // Ten seconds in which nothing ended tell no pace.
  const paces = [now, minute].filter((pace) => pace !== undefined && pace > 0) as number[]
  const known = minute !== undefined && minute > 0 && !stalled && left > 0
  return {
    now,
    minute,
    remainingSeconds: known ? { least: left / Math.max(...paces), most: left / Math.min(...paces) } : undefined,
    stalledSeconds: stalled ? quietMs / 1_000 : undefined,
  }
}

function over(snapshots: readonly Snapshot[], last: Snapshot, withinMs: number): number | undefined {
  const first = snapshots.find(({ atMs }) => atMs >= last.atMs - withinMs)
  if (first === undefined || last.atMs - first.atMs < LEAST_MS) return undefined
  return (last.recorded - first.recorded) / ((last.atMs - first.atMs) / 1_000)
}
