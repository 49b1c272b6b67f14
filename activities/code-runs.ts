import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '@temporalio/activity'
import { stepKey } from '../store/ledger-entry.ts'
import type { AgentRun, RunStatus } from '../workflows/agent-run.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { CANCELED, isTakenAway, untilCanceled, whileBeating, type Scope } from './scope.ts'

/** Code that no activity follows by then has lost its workflow, or was given to another worker. */
const FOLLOWED_WITHIN_MS = 15_000
/** Runs beyond which a worker begins none on its own: the engine's queue holds what is more. */
const MAX_RUNS = 500
/** How long code may take to heed its signal when its worker ends. */
const LAST_MS = 5_000

/** The runs of plain code that are under way in this worker. */
export interface CodeRuns {
  find: (run: AgentRun) => CodeRun | undefined
  /** Whether the worker may begin another on its own. */
  hasRoom: () => boolean
  begin: (run: AgentRun) => CodeRun
  /** Lets no more begin; resolves when each that is under way has an activity that follows it, or has ended. */
  close: () => Promise<void>
  /** Aborts what is left. @throws Error when some of it does not heed its signal */
  end: () => Promise<void>
}

type Work = (run: AgentRun, scope: Scope) => Promise<RunStatus>

export function createCodeRuns(deps: Pick<ActivityDependencies, 'cancels'>, work: Work): CodeRuns {
  const runs = new Map<string, CodeRun>()
  let closed = false
  return {
    find(run) {
      const code = runs.get(stepKey(run.job, run.path))
      // An aborted one may take its time, or ignore its signal: it is not what a new attempt can wait for.
      return code?.isAborted === true ? undefined : code
    },
    hasRoom: () => !closed && runs.size < MAX_RUNS,
    begin(run) {
      const key = stepKey(run.job, run.path)
      const code = new CodeRun(deps, run, work)
      runs.set(key, code)
      const forget = (): void => {
        if (runs.get(key) === code) runs.delete(key)
      }
      code.result.then(forget, forget)
      return code
    },
    async close() {
      closed = true
      await Promise.all([...runs.values()].map((code) => code.followed))
    },
    async end() {
      for (const code of runs.values()) code.abort(new Error('The worker ends.'))
      const ended = Promise.allSettled([...runs.values()].map((code) => code.result))
      await Promise.race([ended, sleep(LAST_MS)])
      if (runs.size > 0) throw new Error(`${runs.size} runs of plain code do not heed their signal.`)
    },
  }
}

/** A run of plain code in this worker. It may outlive the activity that began it, and be followed by another. */
export class CodeRun {
  /** How it ended; rejected when it has to be run again. */
  readonly result: Promise<RunStatus>
  /** Resolves when an activity follows it, or it has ended. */
  readonly followed: Promise<void>
  readonly #abort = new AbortController()
  #follower: Context | undefined
  #setFollowed = (): void => undefined

  constructor(deps: Pick<ActivityDependencies, 'cancels'>, run: AgentRun, work: Work) {
    const scopeOf = (canceled: AbortSignal): Scope => ({
      signal: AbortSignal.any([this.#abort.signal, canceled]),
      isCanceled: () => canceled.aborted || (this.#follower !== undefined && isTakenAway(this.#follower)),
      heartbeat: (detail) => this.#follower?.heartbeat(detail),
    })
    this.followed = new Promise((resolve) => (this.#setFollowed = resolve))
    const unfollowed = setTimeout(() => this.abort(new Error('No activity follows this run.')), FOLLOWED_WITHIN_MS)
    void this.followed.then(() => clearTimeout(unfollowed))
    this.result = untilCanceled(deps, run.job, (canceled) => work(run, scopeOf(canceled)))
      .then((outcome) => (outcome === CANCELED ? 'canceled' : outcome))
      .finally(this.#setFollowed)
  }

  get isAborted(): boolean {
    return this.#abort.signal.aborted
  }

  abort(reason: unknown): void {
    this.#abort.abort(reason)
  }

  /** Waits for the end on behalf of an activity; the cancellation of the last one that follows aborts the run. */
  async follow(context: Context): Promise<RunStatus> {
    this.#follower = context
    this.#setFollowed()
    const { cancellationSignal: taken } = context
    const abort = (): void => {
      if (this.#follower === context) this.abort(taken.reason)
    }
    taken.addEventListener('abort', abort)
    if (taken.aborted) abort()
    try {
      return await whileBeating(context, () => this.result)
    } finally {
      taken.removeEventListener('abort', abort)
    }
  }
}
