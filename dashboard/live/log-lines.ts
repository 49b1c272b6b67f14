/** A line of one of the logs that are read. */
export interface LogLine {
  /** Different for each line that was ever read. */
  key: number
  /** Name of its container. */
  source: string
  /** Nanoseconds, in the form that sorts; empty where the engine gave none. */
  timestamp: string
  /** What it is sorted by: its own time, or that of the line before it. */
  sortedBy: string
  /** As it was written. */
  message: string
  /** Without colors and control characters. */
  text: string
  /** It is no line of the log but about it. */
  isNote: boolean
}

/** Bounds of what a page keeps. */
const MAX_LINES = 20_000
const MAX_CHARACTERS = 32_000_000

/** Lines of several logs in the order of their times; lines of one time stay in the order in which they came. */
export function mergeLines(lines: LogLine[], fresh: readonly LogLine[]): LogLine[] {
  const arrived = fresh.toSorted(byTime)
  const [oldest] = arrived
  if (oldest === undefined) return lines
  const at = lines.findLastIndex(({ sortedBy }) => sortedBy <= oldest.sortedBy) + 1
  return [...lines.slice(0, at), ...[...lines.slice(at), ...arrived].sort(byTime)]
}

/** The newest lines, as many as a page keeps. */
export function newestLines(lines: LogLine[]): LogLine[] {
  let first = lines.length
  let characters = 0
  while (first > 0 && lines.length - first < MAX_LINES && characters < MAX_CHARACTERS) {
    first -= 1
    characters += lines[first]?.message.length ?? 0
  }
  return first === 0 ? lines : lines.slice(first)
}

function byTime(one: LogLine, other: LogLine): number {
  return one.sortedBy < other.sortedBy ? -1 : one.sortedBy > other.sortedBy ? 1 : 0
}
