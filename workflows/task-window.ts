import type { TaskRange } from '../core/execution.ts'

/** Maximum number of tasks in flight for one agent of a batch. */
export const WINDOW_TASKS = 2_000
/** Maximum number of open ranges of a batch. Each is an activity, and Temporal allows 2,000 for a workflow. */
export const MAX_OPEN_RANGES = 1_000

/** A range of tasks in flight, as known to the batch. */
export interface OpenRange {
  range: TaskRange
  /** Tasks that have not ended. */
  left: number
}

/** The planning state of an agent's tasks. */
export interface AgentCursor {
  /** The first index that is not planned. */
  next: number
  /** Number of tasks that may begin. */
  free: number
}

/** State that a batch carries into its next run. */
export interface WindowState {
  next: Record<string, number>
  open: OpenRange[]
}

/**
 * The tasks of a batch that are in flight. It counts tasks instead of ranges: a range with few open tasks uses only
 * that much of the window, and an agent without workers takes nothing from other agents.
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

  /** Cursors of the agents that were planned before. Other agents begin at index 0 with a whole window. */
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

  /** Updates the number of tasks left in a range. */
  freed(from: number, left: number): void {
    const open = this.#open.get(from)
    if (open !== undefined) open.left = Math.min(open.left, left)
  }

  remove({ from }: TaskRange): void {
    this.#open.delete(from)
  }
}
