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
  /** What was in flight when the history began anew. */
  window?: WindowState
}

/** A history this long begins anew. */
const MAX_HISTORY_EVENTS = 5_000

/**
 * A batch: an entity that takes tasks as long as it lives and is revived by a signal afterwards. It keeps ranges of tasks in
 * flight and looks for more whenever some have ended or were added.
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

  /** There is something to do that this run of the workflow leaves to the next one. */
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

  /** Runs tasks until none are left, or until the history is long: the next run of the workflow joins what is open then. */
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
    // How it ended is in the records; a cancel is heard by the batch itself.
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
