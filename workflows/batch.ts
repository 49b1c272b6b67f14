import { CancellationScope, condition, continueAsNew, isCancellation, setHandler } from '@temporalio/workflow'
import type { TaskRange } from '../core/execution.ts'
import { PRIORITY } from '../core/queues.ts'
import { poolActivities, records } from './activities.ts'
import { historyIsLong } from './history-is-long.ts'
import { describeFailure, rethrowUnlessFailed, wasNotTaken } from './failures.ts'
import { tasksAdded, tasksFreed } from './signals.ts'
import { TaskWindow, type WindowState } from './task-window.ts'

export interface BatchInput {
  batch: string
  /** The ranges in flight when the history was continued. */
  window?: WindowState
}

/** A longer history continues as new. */
const MAX_HISTORY_EVENTS = 5_000

/**
 * A batch: an entity workflow that accepts tasks while it lives, and that a signal revives afterwards. It keeps ranges
 * of tasks in flight, and plans more when ranges end or tasks are added.
 */
export async function batch({ batch: id, window = { next: {}, open: [] } }: BatchInput): Promise<void> {
  const ranges = new Ranges(id, window)
  setHandler(tasksAdded, () => ranges.lookAgain())
  setHandler(tasksFreed, (from, left) => ranges.freed(from, left))
  try {
    await ranges.run()
  } catch (error) {
    if (!isCancellation(error)) throw error
    await CancellationScope.nonCancellable(async () => {
      await ranges.settled()
      await records.recordBatchStopped(id)
    })
    return
  }
  if (ranges.hasMore) await continueAsNew<typeof batch>({ batch: id, window: ranges.state })
}

/** The ranges of a batch that are in flight. */
class Ranges {
  readonly #batch: string
  readonly #window: TaskWindow
  readonly #running = new Set<Promise<void>>()
  #look = true

  constructor(id: string, state: WindowState) {
    this.#batch = id
    this.#window = new TaskWindow(state)
    for (const { range } of state.open) this.#start(range)
  }

  get state(): WindowState {
    return this.#window.state
  }

  /** Work remains for the next run of the workflow. */
  get hasMore(): boolean {
    return this.#look || !this.#window.isEmpty
  }

  lookAgain(): void {
    this.#look = true
  }

  freed(from: number, left: number): void {
    this.#window.freed(from, left)
    this.#look = true
  }

  /** Runs tasks until none are left or the history is long. The next run of the workflow rejoins the open ranges. */
  async run(): Promise<void> {
    while (this.#look || !this.#window.isEmpty) {
      if (this.#look && !this.#window.isFull) await this.#plan()
      if (historyIsLong(MAX_HISTORY_EVENTS)) return
      await condition(
        () => (this.#look && !this.#window.isFull) || this.#window.isEmpty || historyIsLong(MAX_HISTORY_EVENTS),
      )
    }
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  async #plan(): Promise<void> {
    this.#look = false
    const { ranges, more } = await records.planRanges(this.#batch, this.#window.cursors())
    for (const range of ranges) {
      this.#window.add(range)
      this.#start(range)
    }
    this.#look ||= more
  }

  #start(range: TaskRange): void {
    const running = runRange(range).finally(() => {
      this.#window.remove(range)
      this.#running.delete(running)
      this.#look = true
    })
    // The records contain the range's end, and the batch handles a cancel itself.
    running.catch(() => undefined)
    this.#running.add(running)
  }
}

async function runRange(range: TaskRange): Promise<void> {
  const summary = `${range.agent}, tasks ${range.from} to ${range.to - 1}`
  for (let { pool } = range; ; pool = await records.poolOf(range.agent)) {
    try {
      const { isElsewhere } = await poolActivities(pool, PRIORITY.task, summary).runTasks(range)
      if (!isElsewhere) return
    } catch (error) {
      if (wasNotTaken(error)) continue
      rethrowUnlessFailed(error)
      return await records.recordRangeFailure(range, describeFailure(error))
    }
  }
}
