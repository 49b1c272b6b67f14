import { Context } from '@temporalio/activity'
import { codeOf } from '../core/errors.ts'
import type { AgentRun, LegResult } from '../core/execution.ts'
import { isTransient } from '../store/transient.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { toFailure } from './failures.ts'
import type { InProcessRuns } from './leg/in-process-runs.ts'
import { recordOutsideFailure } from './record-outcome.ts'

/** Attempts at a leg that fail by an error of its own before the run has failed. */
const MAX_FAILED_ATTEMPTS = 6
/** Errors that pass, or that another worker may not meet. */
const PASSING = new Set<unknown>(['storage_failed', 'agent_not_hosted'])

/** The activity that takes an agent run on: it joins the run that is under way in this worker, or begins it. */
export function createRunLeg(deps: ActivityDependencies, runs: InProcessRuns) {
  return async function runLeg(run: AgentRun): Promise<LegResult> {
    const context = Context.current()
    try {
      return await runs.join(run).follow(context)
    } catch (error) {
      if (context.cancellationSignal.aborted || isPassing(error)) throw error
      if (!isLastAttempt(context)) throw toFailure(error)
      return { status: await recordOutsideFailure(deps, run, error) }
    }
  }
}

/** Whether an error of the leg's own is not tried again. */
export function isLastAttempt({ info }: Context): boolean {
  return info.attempt >= MAX_FAILED_ATTEMPTS
}

/** Whether an error is about servers, or about this worker. */
export function isPassing(error: unknown): boolean {
  return isTransient(error) || PASSING.has(codeOf(error)) || PASSING.has((error as { type?: unknown }).type)
}
