import type { TraceTable } from './trace-table.ts'

/** A stretch of time in milliseconds from the beginning. */
export interface Stretch {
  from: number
  to: number
}

/** Pieces that the time is looked at in: what is shorter than one of them is no gap. */
const PIECES = 2_000
const MOST_GAPS = 12
/** A gap is at least this share of the whole, and long enough to be felt. */
const LEAST_SHARE = 0.04
const LEAST_MS = 1_000
/** Above this share of idle time it is worth while to show it short. */
const WORTH_SHARE = 0.6

/**
 * The longest stretches in which nothing was at work, in their order: no model, no tool, no beginning or end of an agent.
 * Empty where less than 60 % of the time is idle, or no wait is a second long.
 */
export function idleGaps({ size, type, start, end }: TraceTable, endMs: number): Stretch[] {
  const pieceMs = endMs / PIECES
  if (pieceMs <= 0) return []
  // How many begin in a piece, less those that ended before it.
  const changes = new Int32Array(PIECES + 1)
  const pieceOf = (ms: number): number => Math.min(PIECES - 1, Math.max(0, Math.floor(ms / pieceMs)))
  for (let row = 0; row < size; row += 1) {
    const from = pieceOf(start[row] as number)
    // An agent and what it delegates span what others do; of them only the beginning is work.
    const spans = type[row] === 'task_start' || type[row] === 'delegation'
    const to = spans ? from : pieceOf(end[row] as number)
    changes[from] = (changes[from] as number) + 1
    changes[to + 1] = (changes[to + 1] as number) - 1
  }
  const gaps = emptyRuns(changes)
    .map(({ from, to }) => ({ from: from * pieceMs, to: to * pieceMs }))
    .filter(({ from, to }) => to - from >= Math.max(LEAST_MS, endMs * LEAST_SHARE))
  const longest = [...gaps].sort((one, other) => lengthOf(other) - lengthOf(one)).slice(0, MOST_GAPS)
  const idleMs = longest.reduce((sum, gap) => sum + lengthOf(gap), 0)
  return idleMs < endMs * WORTH_SHARE ? [] : longest.sort((one, other) => one.from - other.from)
}

function lengthOf({ from, to }: Stretch): number {
  return to - from
}

function emptyRuns(changes: Int32Array): Stretch[] {
  const runs: Stretch[] = []
  let busy = 0
  let from = -1
  for (let piece = 0; piece <= PIECES; piece += 1) {
    busy += changes[piece] as number
    const empty = piece < PIECES && busy === 0
    if (empty && from === -1) from = piece
    if (!empty && from !== -1) {
      runs.push({ from, to: piece })
      from = -1
    }
  }
  return runs
}
