import { CancelledFailure, type Context } from '@temporalio/activity'
import pTimeout from 'p-timeout'
import type { AgentRun, LegResult, StepNote } from '../../core/execution.ts'
import { stepKey } from '../../core/step-path.ts'
import type { Tried } from '../../core/transitions.ts'
import type { Place } from './fair-limit.ts'
import { RunPlace } from './run-place.ts'
import { Stop, stopOf } from './stop.ts'

/** Above this number of runs, a worker begins none beside its workflow; further work stays in Temporal's queue. */
const MAX_RUNS = 1_000
/** The time that runs may continue while their worker stops; the same as for runs that an activity follows. */
const GRACE_MS = 10_000
/** The time that code has to observe its signal afterwards. */
const LAST_MS = 5_000
/**
 * Well below the heartbeat timeout in workflows/activities.ts, so that a busy event loop is not mistaken for a dead
 * worker.
 */
export const BEAT_MS = 2_500

/** Progress of a run, sent as the heartbeat details of its activity. */
export interface Progress {
  steps: StepNote[]
  earlier: number
  /** Attempts that failed with an error of their own. */
  failures: number
  /** The current step. */
  now: string
}

/** The work of a run; settles with the run's result. */
export type Work = (run: AgentRun, control: RunControl) => Promise<LegResult>

export interface RunControl {
  signal: AbortSignal
  stop: (reason: Stop) => void
  progress: Progress
  tried: Tried
  place: RunPlace
  /**
   * Whether the run's code may start before its take is recorded. This holds for the first try as long as no other
   * worker can come for the run.
   * @param taken - resolves when the take is recorded. Sharing the run waits for it.
   */
  mayEnterUnseen: (taken: Promise<unknown>) => boolean
  /** Reports that a take is recorded by which others see that the run began. */
  isSeen: () => void
}

/** The agent runs that are active in this worker, regardless of the activity that began them. */
export interface InProcessRuns {
  /** Whether the worker may begin another run beside its workflow. */
  hasRoom: () => boolean
  /**
   * Joins the active run, or begins it.
   * @param place - the run's place if places are limited; the run leaves it while it waits. A joined run uses this
   *   place from then on.
   */
  join: (run: AgentRun, tried: Tried, place?: Place) => InProcessRun
  /** Stops the run of a job whose code threw an uncaught error; false if there is no such run. */
  stray: (jobId: string, error: unknown) => boolean
  /** Stops accepting runs beside workflows and runs of task ranges. */
  close: () => void
  isClosed: () => boolean
  /** Stops the remaining runs; other workers continue them. */
  end: () => Promise<void>
}

/** Creates the runs of a worker, without any active run. */
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
      // A stopped run may take a while to end; a new attempt cannot wait for it.
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
      // Runs that began just before still get their grace period.
      await settled(Math.max(1, GRACE_MS - passed))
      for (const run of runs.values()) run.stop(new Stop('given_up', 'The worker ends.'))
      await settled(LAST_MS)
    },
  }
}

/** An agent run in this worker. It may outlive the activity that began it, and another activity may follow it then. */
export class InProcessRun {
  readonly run: AgentRun
  readonly place: RunPlace
  /** The result of the leg; rejects if the run must be taken up again, here or elsewhere. */
  readonly result: Promise<LegResult>
  readonly progress: Progress = { steps: [], earlier: 0, failures: 0, now: 'begins' }
  /** Resolves when others can see by a take that the run began, or when it has ended. */
  readonly seen: Promise<unknown>
  readonly #controller = new AbortController()
  /** The pending record of the take of code that started before the record. */
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
    // Followers handle the error; a run without followers must not end the process.
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
   * Resolves when other workers may come for the run and know that it may have begun. They then recognise by its take
   * that its code has started. Without this wait they could start the code a second time while MongoDB responds slowly.
   */
  async share(): Promise<void> {
    this.#isShared = true
    await this.#unseen?.catch(() => undefined)
  }

  /**
   * Waits for the end of the leg for an activity and sends heartbeats meanwhile. A canceled activity or a stopping
   * worker stops the run. An activity that Temporal merely gave up leaves the run to the next activity.
   * @param beats - false if the activity sends heartbeats for several runs together.
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
      // After Temporal canceled the activity, it expects this failure, whatever was thrown.
      throw taken.aborted ? new CancelledFailure('The activity was canceled.') : error
    } finally {
      clearInterval(timer)
      taken.removeEventListener('abort', heed)
    }
  }
}
