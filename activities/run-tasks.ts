import { setTimeout as sleep } from 'node:timers/promises'
import { CancelledFailure, Context } from '@temporalio/activity'
import { messageOf } from '../core/errors.ts'
import type { AgentRun, LegResult, TaskRange } from '../core/execution.ts'
import type { Tried } from '../core/transitions.ts'
import type { AgentKind, ExecutionDocument } from '../store/documents.ts'
import type { RangeEnd } from '../workflows/activities.ts'
import { signalFreed, startPrompt } from '../workflows/client.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { toFailure } from './failures.ts'
import { FairLimit, type Place } from './attempt/fair-limit.ts'
import { BEAT_MS, type InProcessRun, type InProcessRuns } from './attempt/in-process-runs.ts'
import { recordStop } from './record-outcome.ts'
import { followLeg, isNotHosted, isPassing, otherPoolOf } from './run-leg.ts'
import { OF_RANGE } from '../store/open.ts'

/** Maximum number of running tasks in a worker over all batches. Tasks that wait for a share do not count. */
const MAX_TASKS_AT_ONCE = 1_000
/** Maximum number of waiting tasks of one agent of a batch. */
const MAX_RESTING = 250
/** Maximum number of running code agents among them, because each may occupy the worker's only thread. */
const MAX_FUNCTIONS_AT_ONCE = 256
/** Maximum number of ranges in a worker: half of its activity slots stay free for interactive work. */
const MAX_RANGES = 1_000
const NO_ROOM_MS = 2_000
/** The pause before a failed task is retried; it doubles with each failure. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
/** Interval in which a range with few open tasks reports their number. */
const TELL_MS = 1_000

/**
 * The activity that runs a range of a batch's tasks. Each task is a run of its own and is recorded when it ends, so a
 * retry continues with the open tasks. A task that must wait for long leaves the range for its own workflow.
 */
export function createRunTasks(deps: ActivityDependencies, runs: InProcessRuns) {
  const limits: Record<AgentKind, FairLimit> = {
    model: new FairLimit(MAX_TASKS_AT_ONCE, MAX_RESTING),
    code: new FairLimit(MAX_FUNCTIONS_AT_ONCE),
  }
  let ranges = 0
  return async function runTasks(range: TaskRange): Promise<RangeEnd> {
    if (ranges >= MAX_RANGES) throw noRoom(deps)
    ranges += 1
    try {
      if ((await otherPoolOf(deps, range.agent)) !== undefined) return { tasks: 0, isElsewhere: true }
      const limit = limits[deps.agents.get(range.agent)?.kind ?? 'model']
      return { tasks: await runRange(deps, runs, range, limit), isElsewhere: false }
    } finally {
      ranges -= 1
    }
  }
}

async function runRange(
  deps: ActivityDependencies,
  runs: InProcessRuns,
  range: TaskRange,
  limit: FairLimit,
): Promise<number> {
  const context = Context.current()
  const signal = context.cancellationSignal
  const progress = new RangeProgress(deps, range)
  const beats = setInterval(() => context.heartbeat(progress.state), BEAT_MS)
  try {
    const id = `${range.batch}|${range.from}`
    const held = await deps.rangeHolders.hold(id, signal, (worker) => progress.waits(worker))
    const tried = held.mayBeBegun || context.info.attempt > 1 ? 'maybe' : 'no'
    const begun = new BegunRuns(runs)
    try {
      return await runOpenTasks({ deps, range, context, progress, begun, tried, limit })
    } finally {
      await begun.seen()
      held.letGo()
    }
  } catch (error) {
    throw signal.aborted ? new CancelledFailure('The range was canceled.') : error
  } finally {
    clearInterval(beats)
  }
}

/** The parts with which a range's tasks run. */
interface RangeWork {
  deps: ActivityDependencies
  range: TaskRange
  context: Context
  progress: RangeProgress
  begun: BegunRuns
  /** Whether the tasks may have begun before. */
  tried: Tried
  limit: FairLimit
}

async function runOpenTasks(work: RangeWork): Promise<number> {
  const { deps, range, context, progress, limit } = work
  const ids = await openTasks(deps, range)
  const failures: unknown[] = []
  const key = `${range.batch}|${range.agent}`
  const runOne = async (id: string): Promise<void> => {
    // Read when the task's turn comes, because it may have been canceled, and so that waiting inputs use no memory.
    const run = (place: Place) => runTask(work, id, place)
    await limit.run(key, run, context.cancellationSignal).then(
      () => progress.ended(),
      (error: unknown) => failures.push(error),
    )
  }
  const stop = progress.tellStragglers(ids.length)
  try {
    await Promise.all(ids.map(runOne))
  } finally {
    stop()
  }
  if (failures.length > 0) throw failures[0]
  return ids.length
}

/** Another worker may have room, or this one may soon. */
function noRoom({ worker }: ActivityDependencies): Error {
  const sentence = `Worker ${worker} has ${MAX_RANGES} ranges of tasks already.`
  return toFailure(Object.assign(new Error(sentence), { code: 'no_room' }), { retryAfterMs: NO_ROOM_MS })
}

/** A task that begins now would soon be stopped and begin again elsewhere. */
function workerEnds({ worker }: ActivityDependencies): Error {
  const error = Object.assign(new Error(`Worker ${worker} ends.`), { code: 'worker_ends' })
  return toFailure(error, { retryAfterMs: FIRST_PAUSE_MS })
}

async function openTasks({ store }: ActivityDependencies, { batch, from, to, agent }: TaskRange): Promise<string[]> {
  const filter = { batch_id: batch, prompt_name: agent, batch_index: { $gte: from, $lt: to }, ...OF_RANGE }
  const found = store.open.find(filter, { projection: { _id: 1 } }).sort({ batch_index: 1 })
  return (await found.toArray()).map(({ _id }) => _id)
}

/**
 * A failed task is retried here, unless another worker must do it: its own error must not count for other tasks, and a
 * temporary error must not make it wait for the rest of its range.
 */
async function runTask({ deps, range, context, begun, tried }: RangeWork, id: string, place: Place): Promise<void> {
  const signal = context.cancellationSignal
  const run: AgentRun = { job: id, batch: range.batch, path: '0', agent: range.agent, last: true }
  let failures = 0
  for (let attempt = 0; ; attempt += 1) {
    if (begun.isClosed) throw workerEnds(deps)
    // Most tasks are new, so their code need not wait for the record of the start.
    const known = attempt > 0 ? 'maybe' : tried
    try {
      const { status } = await followLeg(deps, begun.join(run, known, place), { context, failures, beats: false })
      return await settleTask(deps, id, status)
    } catch (error) {
      if (signal.aborted || isNotHosted(error)) throw error
      if (!isPassing(error)) failures += 1
      deps.log.warn({ job_id: id, error: messageOf(error), attempt }, 'task attempt failed; trying again')
      await sleep(Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS), undefined, { signal })
    }
  }
}

async function settleTask(deps: ActivityDependencies, id: string, status: LegResult['status']): Promise<void> {
  const task = status === 'parked' || status === 'canceled' ? await deps.store.byId.execution(id) : null
  if (task === null || task.completed_at !== null) return
  if (status === 'parked') await detach(deps, task)
  // A task that continues from its records was stopped with its batch, which records all its tasks together.
  else if (task.status === 'canceled') await recordStop(deps, task)
}

/** A waiting task continues under its own workflow and no longer delays its range. */
async function detach({ store, temporal, queue }: ActivityDependencies, task: ExecutionDocument): Promise<void> {
  await store.open.updateOne({ _id: task._id }, { $set: { detached: true } })
  await startPrompt({ temporal, queue }, task)
}

/** The runs of a range that this worker has begun. */
class BegunRuns {
  readonly #runs: InProcessRuns
  readonly #underWay = new Set<InProcessRun>()

  constructor(runs: InProcessRuns) {
    this.#runs = runs
  }

  /** Whether the worker begins no more runs. */
  get isClosed(): boolean {
    return this.#runs.isClosed()
  }

  join(run: AgentRun, tried: Tried, place: Place): InProcessRun {
    const begun = this.#runs.join(run, tried, place)
    this.#underWay.add(begun)
    const forget = (): void => void this.#underWay.delete(begun)
    begun.result.then(forget, forget)
    return begun
  }

  /** Resolves when others can see which tasks began. */
  async seen(): Promise<void> {
    await Promise.all([...this.#underWay].map((begun) => begun.seen))
  }
}

/** The number of tasks left in a range, for its heartbeat and its batch. */
class RangeProgress {
  readonly #deps: ActivityDependencies
  readonly #range: TaskRange
  #left: number
  #told: number
  #holder: string | undefined

  constructor(deps: ActivityDependencies, range: TaskRange) {
    this.#deps = deps
    this.#range = range
    this.#left = range.tasks
    this.#told = range.tasks
  }

  /** The heartbeat details for operators. */
  get state(): { left: number; tasks: number; waits_for?: string } {
    const waits = this.#holder !== undefined && { waits_for: this.#holder }
    return { left: this.#left, tasks: this.#range.tasks, ...waits }
  }

  /** Another worker runs the range; this one waits for it. */
  waits(worker: string): void {
    this.#holder = worker
    this.#deps.log.info(
      { batch_id: this.#range.batch, from: this.#range.from, worker },
      'range waits for another worker',
    )
  }

  ended(): void {
    this.#left -= 1
  }

  /**
   * Reports the number of open tasks whenever half of the tasks that the batch still counts have ended.
   * @param tasks - number of open tasks.
   */
  tellStragglers(tasks: number): () => void {
    this.#left = tasks
    this.#holder = undefined
    const tell = (): void => {
      if (this.#left === 0 || this.#left > this.#told / 2) return
      const told = this.#told
      this.#told = this.#left
      const { temporal, queue, log } = this.#deps
      signalFreed({ temporal, queue }, this.#range, this.#left).catch((error: unknown) => {
        this.#told = told
        log.debug({ batch_id: this.#range.batch, error: messageOf(error) }, 'cannot signal how many tasks are left')
      })
    }
    const timer = setInterval(tell, TELL_MS)
    return () => clearInterval(timer)
  }
}
