import type { AgentRun, Parked } from '../../core/execution.ts'
import { calledPath, endPath } from '../../core/step-path.ts'
import { findPool } from '../../store/registry/agents.ts'
import { fieldName } from '../../store/mongodb/field-name.ts'
import type { AgentAtWork } from '../records/agent-at-work.ts'
import type { Leg } from '../attempt/leg.ts'
import type { OutcomeResult } from '../attempt/outcome.ts'
import { parkedForCall } from '../attempt/parked.ts'
import { recordedResult } from '../records/transcript.ts'

/** Runs of an execution that were taken as runs of their own: each leaves some 250 bytes in its record, which holds 16 MB and is read often. */
export const MAX_RUNS_ELSEWHERE = 10_000
const TOO_MANY = 'An execution runs at most 10,000 agents in other pools: call them from executions of their own.'

/**
 * The run of an agent that another one calls.
 * @param call - path of the call below the agent that makes it.
 * @param start - of that agent.
 */
export function calledRun(
  { run, budgets }: AgentAtWork,
  call: string,
  agent: string,
  start: NonNullable<AgentRun['by']>['start'],
): AgentRun {
  const { job, batch } = run
  const by = { agent: run.agent, start }
  return { job, batch, path: calledPath(run.path, call), agent, last: false, by, budgets: budgets?.ids }
}

/** Runs a called agent inside this leg where this worker hosts it, and gives its outcome; otherwise its pool has to. */
export async function callAgent(leg: Leg, run: AgentRun, inputs: unknown): Promise<OutcomeResult | Parked> {
  const { deps, attempt } = leg
  // Who runs elsewhere already is waited for, also by a worker that hosts it.
  if (attempt.run.elsewhere?.includes(run.path) === true) return parkedForCall(run)
  const { takes = {} } = leg.execution
  const hasBegun = takes[fieldName(run.path)] !== undefined
  if (!deps.agents.has(run.agent)) {
    if (!hasBegun && Object.keys(takes).length >= MAX_RUNS_ELSEWHERE) return { error: TOO_MANY }
    const pool = await findPool(deps.store, run.agent, deps.pool, new Date())
    return pool === undefined
      ? { error: `Agent "${run.agent}" is unknown.` }
      : parkedForCall({ ...run, pool: pool.pool })
  }
  // It began as a run of its own, in another pool or before its workflow was started anew: only who takes that run may go on with it.
  if (hasBegun) return parkedForCall({ ...run, pool: deps.pool })
  const since = performance.now()
  const result = await leg.runAgent(run, inputs)
  if (result.status === 'parked') return result
  attempt.signal.throwIfAborted()
  attempt.note(run.agent, since)
  const outcome = await recordedResult(deps, run.job, endPath(run))
  if (outcome === undefined) throw new Error(`The end of ${run.path} of ${run.job} is not recorded.`)
  return outcome as OutcomeResult
}
