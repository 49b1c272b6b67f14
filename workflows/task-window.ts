import type { TaskRange } from '../core/execution.ts'

/** Tasks of one agent of a batch that are in flight. */
export const WINDOW_TASKS = 2_000
/** Ranges of a batch that are open; each is an activity, of which Temporal allows a workflow 2,000. */
export const MAX_OPEN_RANGES = 1_000

/** A range of tasks that is in flight, as far as the batch knows. */
export interface OpenRange {
  range: TaskRange
  /** Tasks that have not ended. */
  left: number
}

/** Where the planning of an agent's tasks stands. */
export interface AgentCursor {
  /** First index that was not planned yet. */
  next: number
  /** Tasks that may be begun. */
  free: number
}

/** What a batch carries over when its history begins anew. */
export interface WindowState {
  next: Record<string, number>
  open: OpenRange[]
}

/**
 * The tasks of a batch that are in flight. It counts tasks, not ranges: stragglers keep their range open and take no more of
 * the window than themselves, and an agent whose pool has no workers takes nothing from the others.
 */
export class TaskWindow {
  readonly #next: Map<string, number>
  readonly #open: Map<number, OpenRange>

  constructor({ next, open }: WindowState) {
    this.#next = new Map(Object.entries(next))
    this.#open = new Map(open.map((each) => [each.range.from, each]))
  }

  get state(): WindowState {
    return { next: Object.fromEntries(this.#next), open: [...this.#open.values()] }
  }

  get isEmpty(): boolean {
    return this.#open.size === 0
  }

  get isFull(): boolean {
    return this.#open.size >= MAX_OPEN_RANGES
  }

  /** Agents that were planned before; others begin at index 0 with a whole window. */
  cursors(): Record<string, AgentCursor> {
    const left = new Map<string, number>()
    for (const { range, left: tasks } of this.#open.values())
      left.set(range.agent, (left.get(range.agent) ?? 0) + tasks)
    return Object.fromEntries(
      [...this.#next].map(([agent, next]) => [agent, { next, free: WINDOW_TASKS - (left.get(agent) ?? 0) }]),
    )
  }

  add(range: TaskRange): void {
    this.#open.set(range.from, { range, left: range.tasks })
    this.#next.set(range.agent, Math.max(range.to, this.#next.get(range.agent) ?? 0))
  }

  /** A range says how many of its tasks are left. */
  freed(from: number, left: number): void {
    const open = this.#open.get(from)
    if (open !== undefined) open.left = Math.min(open.left, left)
  }

  remove({ from }: TaskRange): void {
    this.#open.delete(from)
  }
}
