import type { TraceTable } from './trace-table.ts'

const NONE = -1

/** Where an event stands among the others. */
export interface Relatives {
  /** Row of its parent; undefined for an event without one. */
  parent: number | undefined
  /** Rows of its first children. */
  children: number[]
  /** How many it has in all. */
  count: number
}

/** An event's parent and children. @param most - children that are named */
export function relativesOf(table: TraceTable, row: number, most: number): Relatives {
  const children: number[] = []
  let count = 0
  for (const child of childrenOf(table, row)) {
    if (count < most) children.push(child)
    count += 1
  }
  const parent = table.parent[row] as number
  return { parent: parent === NONE ? undefined : parent, children, count }
}

/**
 * How long nothing of the same parent went on before an event began, in ms: since the latest of the others, or since the parent
 * began. Undefined for what comes first of all.
 */
export function gapBefore(table: TraceTable, row: number): number | undefined {
  const { parent, start, end } = table
  const began = start[row] as number
  const above = parent[row] as number
  let busyUntil = above === NONE ? undefined : (start[above] as number)
  for (const other of childrenOf(table, above)) {
    // What begins at the same moment, or is written later, does not come before it.
    const isBefore = (start[other] as number) < began || (start[other] === began && other < row)
    if (other !== row && isBefore) busyUntil = Math.max(busyUntil ?? 0, Math.min(end[other] as number, began))
  }
  return busyUntil === undefined ? undefined : Math.max(0, began - busyUntil)
}

/** The row of the agent's start that an event belongs to: its own, or the nearest above it; undefined without one. */
export function agentOf({ type, parent }: TraceTable, row: number): number | undefined {
  for (let above = row; above !== NONE; above = parent[above] as number) if (type[above] === 'task_start') return above
  return undefined
}

/** Rows below an event, in order; with -1 those below none. */
function* childrenOf({ firstRoot, firstChild, next }: TraceTable, row: number): Generator<number> {
  let child = row === NONE ? firstRoot : (firstChild[row] as number)
  for (; child !== NONE; child = next[child] as number) yield child
}
