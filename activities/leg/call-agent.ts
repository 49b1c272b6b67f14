import type { AgentRun, Parked } from '../../core/execution.ts'
import { calledPath, endPath } from '../../core/step-path.ts'
import { findPool } from '../../store/registry/agents.ts'
import { fieldName } from '../../store/mongodb/field-name.ts'
import type { AgentAtWork } from '../records/agent-at-work.ts'
import type { Leg } from '../attempt/leg.ts'
import type { OutcomeResult } from '../attempt/outcome.ts'
import { parkedForCall } from '../attempt/parked.ts'
import { recordedResult } from '../records/transcript.ts'

/**
 * Maximum number of an execution's called agents that run separately. Each adds about 250 bytes to the execution's
 * document, which is limited to 16 MB and read often.
 */
export const MAX_RUNS_ELSEWHERE = 10_000
const TOO_MANY = 'An execution runs at most 10,000 agents in other pools: call them from executions of their own.'

/**
 * The run of a called agent.
 * @param call - path of the call below the calling agent.
 * @param start - task_start of the calling agent.
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

/** Runs a called agent within this leg if this worker hosts it; otherwise returns a wait for its pool. */
export async function callAgent(leg: Leg, run: AgentRun, inputs: unknown): Promise<OutcomeResult | Parked> {
  const { deps, attempt } = leg
  // A call that already runs elsewhere is awaited, even if this worker hosts the agent.
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
  // The agent began as a separate run, in another pool or before a restart of the workflow. Only an attempt that takes
  // that run may continue it.
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
