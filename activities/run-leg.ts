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

/** Attempts at a leg that fail by an error of its own before the run has failed. */
const MAX_FAILED_ATTEMPTS = 6

/** The activity that takes an agent run on: it joins the run that is under way in this worker, or begins it. */
export async function runLeg(deps: ActivityDependencies, runs: InProcessRuns, run: AgentRun): Promise<LegStart> {
  const pool = await otherPoolOf(deps, run.agent)
  if (pool !== undefined) return { status: 'elsewhere', pool }
  const context = Context.current()
  return followLeg(deps, runs.join(run, 'maybe'), { context, failures: failuresBefore(context), beats: true })
}

/** What the last heartbeat told: Temporal's own count has lost workers and errors that passed in it, too. */
function failuresBefore({ info }: Context): number {
  const told: unknown = info.heartbeatDetails
  return isObject(told) && typeof told.failures === 'number' ? told.failures : 0
}

/** The pool to which an agent has moved that this worker does not host; undefined while this one's may host it again. */
export async function otherPoolOf(
  { agents, store, pool }: ActivityDependencies,
  agent: string,
): Promise<string | undefined> {
  if (agents.has(agent)) return undefined
  const found = await findPool(store, agent, pool, new Date())
  return found === undefined || found.pool === pool ? undefined : found.pool
}

/**
 * Follows a run on behalf of an activity. One that fails again and again by an error of its own is not taken up for ever: it
 * has failed.
 * @param failures - attempts before this one that failed so.
 * @throws what is to be tried again
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
    // The next attempt may be another worker's.
    if (beats) context.heartbeat(progress)
    throw toFailure(error)
  }
}

/** Whether an error is about servers, or about this worker. */
export function isPassing(error: unknown): boolean {
  return isServerAway(error) || isNotHosted(error)
}

/** Whether an error is one that another worker may not meet. */
export function isNotHosted(error: unknown): boolean {
  return (error as { type?: unknown }).type === 'agent_not_hosted'
}
