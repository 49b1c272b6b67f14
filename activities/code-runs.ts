import type { Context } from '@temporalio/activity'
import { stepKey } from '../store/ledger-entry.ts'
import type { AgentRun, RunStatus } from '../workflows/agent-run.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { CANCELED, isTakenAway, untilCanceled, whileBeating, type Scope } from './scope.ts'

/** Code that no activity follows by then has lost its workflow, or was given to another worker. */
const FOLLOWED_WITHIN_MS = 30_000
/** Runs that a worker begins on its own; the engine's queue holds what is more. */
const MAX_RUNS = 500

/** The runs of plain code that are under way in this worker. */
export interface CodeRuns {
  find: (run: AgentRun) => CodeRun | undefined
  hasRoom: () => boolean
  /** Begins a run; attempt 0 is one that the engine does not count. */
  begin: (run: AgentRun, attempt: number) => CodeRun
}

type Work = (run: AgentRun, scope: Scope) => Promise<RunStatus>

export function createCodeRuns(deps: Pick<ActivityDependencies, 'cancels'>, work: Work): CodeRuns {
  const runs = new Map<string, CodeRun>()
  return {
    find(run) {
      const code = runs.get(stepKey(run.job, run.path))
      // An aborted one may take its time, or ignore its signal: it is not what a new attempt can wait for.
      return code?.isAborted === true ? undefined : code
    },
    hasRoom: () => runs.size < MAX_RUNS,
    begin(run, attempt) {
      const key = stepKey(run.job, run.path)
      const code = new CodeRun(deps, run, attempt, work)
      runs.set(key, code)
      const forget = (): void => {
        if (runs.get(key) === code) runs.delete(key)
      }
      code.result.then(forget, forget)
      return code
    },
  }
}

/** A run of plain code in this worker. It may outlive the activity that began it, and be followed by another. */
export class CodeRun {
  /** How it ended; rejected when it has to be run again. */
  readonly result: Promise<RunStatus>
  readonly #abort = new AbortController()
  #follower: Context | undefined

  constructor(deps: Pick<ActivityDependencies, 'cancels'>, run: AgentRun, attempt: number, work: Work) {
    const scopeOf = (canceled: AbortSignal): Scope => ({
      signal: AbortSignal.any([this.#abort.signal, canceled]),
      isCanceled: () => canceled.aborted || (this.#follower !== undefined && isTakenAway(this.#follower)),
      attempt,
      heartbeat: (detail) => this.#follower?.heartbeat(detail),
    })
    const unfollowed = setTimeout(() => {
      if (this.#follower === undefined) this.#abort.abort(new Error('No activity follows this run.'))
    }, FOLLOWED_WITHIN_MS)
    this.result = untilCanceled(deps, run.job, (canceled) => work(run, scopeOf(canceled)))
      .then((outcome) => (outcome === CANCELED ? 'canceled' : outcome))
      .finally(() => clearTimeout(unfollowed))
  }

  get isAborted(): boolean {
    return this.#abort.signal.aborted
  }

  /** Waits for the end on behalf of an activity; the cancellation of the last one that follows aborts the run. */
  async follow(context: Context): Promise<RunStatus> {
    this.#follower = context
    const { cancellationSignal: taken } = context
    const abort = (): void => {
      if (this.#follower === context) this.#abort.abort(taken.reason)
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
