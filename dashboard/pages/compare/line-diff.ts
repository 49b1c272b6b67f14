import { match } from './match.ts'

/** A line of a difference: of both sides, of one, or so many that are equal and left out. */
export type DiffLine = { side: 'both' | 'A' | 'B'; text: string } | { side: 'left out'; lines: number }

/** Equal lines that are shown beside what differs. */
const BESIDE = 3

/** What differs between two texts, line by line; equal lines that are far from it are left out. */
export function diffLines(left: string, right: string): DiffLine[] {
  const lines = match(left.split('\n'), right.split('\n'), (one, other) => one === other)
  const isKept = new Uint8Array(lines.length)
  for (const [index, line] of lines.entries()) {
    if (line.left === line.right) continue
    isKept.fill(1, Math.max(0, index - BESIDE), index + BESIDE + 1)
  }
  const diff: DiffLine[] = []
  for (const [index, line] of lines.entries()) {
    const last = diff.at(-1)
    if (isKept[index] === 1) diff.push(lineOf(line.left, line.right))
    else if (last?.side === 'left out') last.lines += 1
    else diff.push({ side: 'left out', lines: 1 })
  }
  return diff
}

function lineOf(left: string | undefined, right: string | undefined): DiffLine {
  if (left !== undefined && right !== undefined) return { side: 'both', text: left }
  return left === undefined ? { side: 'B', text: right ?? '' } : { side: 'A', text: left }
}
