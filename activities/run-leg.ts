import { Context } from '@temporalio/activity'
import { codeOf } from '../core/errors.ts'
import type { AgentRun, LegResult, LegStart } from '../core/execution.ts'
import { isObject } from '../core/json.ts'
import { findPool } from '../store/registry/agents.ts'
import { isServerAway } from '../store/mongodb/transient.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { toFailure } from './failures.ts'
import type { InProcessRun, InProcessRuns } from './attempt/in-process-runs.ts'
import { recordOutsideFailure } from './records/outside-failure.ts'

/** Attempts that fail with an error of the leg itself until the run has failed. */
const MAX_FAILED_ATTEMPTS = 6

/** The activity that advances an agent run: it joins the active run in this worker, or begins it. */
export async function runLeg(deps: ActivityDependencies, runs: InProcessRuns, run: AgentRun): Promise<LegStart> {
  const pool = await otherPoolOf(deps, run.agent)
  if (pool !== undefined) return { status: 'elsewhere', pool }
  const context = Context.current()
  return followLeg(deps, runs.join(run, 'maybe'), { context, failures: failuresBefore(context), beats: true })
}

/** Read from the last heartbeat, because Temporal's own count includes lost workers and temporary errors. */
function failuresBefore({ info }: Context): number {
  const told: unknown = info.heartbeatDetails
  return isObject(told) && typeof told.failures === 'number' ? told.failures : 0
}

/**
 * The pool to which an agent has moved if this worker does not host it; undefined while this pool may host it again.
 */
export async function otherPoolOf(
  { agents, store, pool }: ActivityDependencies,
  agent: string,
): Promise<string | undefined> {
  if (agents.has(agent)) return undefined
  const found = await findPool(store, agent, pool, new Date())
  return found === undefined || found.pool === pool ? undefined : found.pool
}

/**
 * Follows a run for an activity. A run that repeatedly fails with an error of its own ends as failed.
 * @param failures - earlier attempts that failed this way.
 * @throws the error to retry.
 */
export async function followLeg(
  deps: ActivityDependencies,
  begun: InProcessRun,
  { context, failures, beats }: { context: Context; failures: number; beats: boolean },
): Promise<LegResult> {
  const { run, progress } = begun
  progress.failures = failures
  try {
    return await begun.follow(context, beats)
  } catch (error) {
    if (context.cancellationSignal.aborted || isPassing(error)) throw error
    progress.failures += 1
    if (codeOf(error) === 'object_lost' || progress.failures >= MAX_FAILED_ATTEMPTS) {
      return { status: await recordOutsideFailure(deps, run, error) }
    }
    // Another worker may make the next attempt.
    if (beats) context.heartbeat(progress)
    throw toFailure(error)
  }
}

/** Whether an error concerns servers or this worker. */
export function isPassing(error: unknown): boolean {
  return isServerAway(error) || isNotHosted(error)
}

/** Whether another worker may not have this error. */
export function isNotHosted(error: unknown): boolean {
  return (error as { type?: unknown }).type === 'agent_not_hosted'
}
