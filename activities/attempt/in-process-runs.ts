import { CancelledFailure, type Context } from '@temporalio/activity'
import pTimeout from 'p-timeout'
import type { AgentRun, LegResult, StepNote } from '../../core/execution.ts'
import { stepKey } from '../../core/step-path.ts'
import type { Tried } from '../../core/transitions.ts'
import type { Place } from './fair-limit.ts'
import { RunPlace } from './run-place.ts'
import { Stop, stopOf } from './stop.ts'

/** Runs beyond which a worker begins none beside its workflow: Temporal's queue holds what is more. */
const MAX_RUNS = 1_000
/** How long runs may go on when their worker is to end; those that an activity follows have as long. */
const GRACE_MS = 10_000
/** How long code may take to heed its signal then. */
const LAST_MS = 5_000
/** Well below the heartbeat timeout of workflows/activities.ts, so that a busy event loop is not taken for a dead worker. */
export const BEAT_MS = 2_500

/** How far a run is, as its activity's heartbeat tells. */
export interface Progress {
  steps: StepNote[]
  earlier: number
  /** Attempts that failed by an error of its own. */
  failures: number
  /** What it does now. */
  now: string
}

/** The work of a run: settles with its result. */
export type Work = (run: AgentRun, control: RunControl) => Promise<LegResult>

export interface RunControl {
  signal: AbortSignal
  stop: (reason: Stop) => void
  progress: Progress
  tried: Tried
  place: RunPlace
  /**
   * Whether the run's code may be entered before its take is recorded: it is the first try, and nobody else can come for it yet.
   * @param taken - resolves when the take is recorded; who is to let others come for the run waits for it then.
   */
  mayEnterUnseen: (taken: Promise<unknown>) => boolean
  /** Says that there is a take of the run by which others see that it was begun. */
  isSeen: () => void
}

/** The agent runs that are under way in this worker, whichever activity began them. */
export interface InProcessRuns {
  /** Whether the worker may begin another beside its workflow. */
  hasRoom: () => boolean
  /**
   * Joins the run that is under way, or begins it.
   * @param place - of a run that has one of few, which it leaves while it waits; a run that is joined has this one from now on.
   */
  join: (run: AgentRun, tried: Tried, place?: Place) => InProcessRun
  /** Stops the run of a job whose code threw where nobody could catch it; false when there is none. */
  stray: (jobId: string, error: unknown) => boolean
  /** Lets no more begin beside their workflows, or of a range of tasks. */
  close: () => void
  isClosed: () => boolean
  /** Stops what is left, for other workers to go on with. */
  end: () => Promise<void>
}

/** Creates the runs of a worker: none is under way yet. */
export function createInProcessRuns(work: Work): InProcessRuns {
  const runs = new Map<string, InProcessRun>()
  let closedAt: number | undefined
  const settled = (milliseconds: number) =>
    pTimeout(Promise.allSettled([...runs.values()].map(({ result }) => result)), { milliseconds, message: false })
  return {
    hasRoom: () => closedAt === undefined && runs.size < MAX_RUNS,
    join(run, tried, place) {
      const key = stepKey(run.job, run.path)
      const known = runs.get(key)
      // A stopped one may take its time: it is not what a new attempt can wait for.
      if (known !== undefined && !known.isStopped) {
        if (place !== undefined) known.place.replace(place)
        return known
      }
      const begun = new InProcessRun(run, work, { tried, place: new RunPlace(place) })
      runs.set(key, begun)
      const forget = (): void => {
        if (runs.get(key) === begun) runs.delete(key)
      }
      begun.result.then(forget, forget)
      return begun
    },
    stray(jobId, error) {
      const own = [...runs.values()].filter(({ run }) => run.job === jobId)
      const stop = new Stop('stray_error', 'Code of the agent threw where nobody could catch it.', { cause: error })
      for (const run of own) run.stop(stop)
      return own.length > 0
    },
    isClosed: () => closedAt !== undefined,
    close: () => void (closedAt ??= performance.now()),
    async end() {
      const passed = performance.now() - (closedAt ??= performance.now())
      // What has just begun has its grace like everything else.
      await settled(Math.max(1, GRACE_MS - passed))
      for (const run of runs.values()) run.stop(new Stop('given_up', 'The worker ends.'))
      await settled(LAST_MS)
    },
  }
}

/** An agent run in this worker. It may outlive the activity that began it, and be followed by another. */
export class InProcessRun {
  readonly run: AgentRun
  readonly place: RunPlace
  /** How the leg ended; rejected when the run is to be taken up again, here or elsewhere. */
  readonly result: Promise<LegResult>
  readonly progress: Progress = { steps: [], earlier: 0, failures: 0, now: 'begins' }
  /** Resolves when whoever looks sees by a take that the run was begun, or when it has ended. */
  readonly seen: Promise<unknown>
  readonly #controller = new AbortController()
  /** Recording of the take of code that was entered before that. */
  #unseen: Promise<unknown> | undefined
  #isShared = false

  constructor(run: AgentRun, work: Work, given: Pick<RunControl, 'tried' | 'place'>) {
    this.run = run
    this.place = given.place
    const { signal } = this.#controller
    const { progress } = this
    const { promise: seen, resolve: see } = Promise.withResolvers<unknown>()
    const isSeen = (): void => see(undefined)
    const mayEnterUnseen = (taken: Promise<unknown>): boolean => {
      see(taken)
      if (this.#isShared || given.tried !== 'no') return false
      this.#unseen = taken
      return true
    }
    const control = { signal, stop: (reason: Stop) => this.stop(reason), progress, mayEnterUnseen, isSeen, ...given }
    this.result = work(run, control).catch((error) => {
      if (stopOf(signal)?.kind === 'canceled') return { status: 'canceled' }
      throw error
    })
    // It is heard by those who follow; a run that nobody follows must not end the process.
    this.result.catch(() => undefined)
    this.seen = Promise.race([seen, this.result]).catch(() => undefined)
  }

  get isStopped(): boolean {
    return this.#controller.signal.aborted
  }

  stop(reason: Stop): void {
    this.#controller.abort(reason)
  }

  /**
   * Resolves when others may come for the run who know that it may have been begun: whatever of its code is entered, or will be, they
   * see by its take. Where MongoDB answers slowly they would enter it a second time.
   */
  async share(): Promise<void> {
    this.#isShared = true
    await this.#unseen?.catch(() => undefined)
  }

  /**
   * Waits for the end of the leg on behalf of an activity, which beats meanwhile. An activity that is canceled, or whose worker
   * stops, stops the run; one that Temporal has merely given up leaves it to those who come next.
   * @param beats - false where the activity beats for several runs together.
   */
  async follow(context: Context, beats: boolean): Promise<LegResult> {
    const { cancellationSignal: taken } = context
    const timer = beats ? setInterval(() => context.heartbeat(this.progress), BEAT_MS) : undefined
    const { promise: left, reject: leave } = Promise.withResolvers<never>()
    const heed = (): void => {
      const { cancelRequested, workerShutdown } = context.cancellationDetails ?? {}
      if (cancelRequested === true) return this.stop(new Stop('canceled', 'The workflow was canceled.'))
      if (workerShutdown === true) return this.stop(new Stop('given_up', 'The worker ends.'))
      leave(new CancelledFailure('The activity was given up; its run goes on.'))
    }
    taken.addEventListener('abort', heed)
    if (taken.aborted) heed()
    try {
      return await Promise.race([this.result, left])
    } catch (error) {
      // Whatever was thrown after Temporal took the activity away, Temporal wants to hear just that.
      throw taken.aborted ? new CancelledFailure('The activity was canceled.') : error
    } finally {
      clearInterval(timer)
      taken.removeEventListener('abort', heed)
    }
  }
}
