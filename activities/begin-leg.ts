import { setImmediate as nextTurn } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import type { AgentRun, LegStart } from '../core/execution.ts'
import type { Tried } from '../core/transitions.ts'
import { findPool } from '../store/registry/agents.ts'
import type { ActivityDependencies } from './dependencies.ts'
import type { InProcessRuns } from './attempt/in-process-runs.ts'

/** The longest time that a workflow task stays open for an agent that may end at once. */
const INLINE_WAIT_MS = 200

/**
 * The local activity that begins a leg in the workflow task's worker if that worker hosts the agent. A short leg then
 * needs no Temporal task of its own. For a longer leg it returns the pool in which `runLeg` follows.
 */
export async function beginLeg(
  deps: ActivityDependencies,
  runs: InProcessRuns,
  run: AgentRun,
  tried: Tried = 'maybe',
): Promise<LegStart> {
  const { pool } = deps
  const agent = deps.agents.get(run.agent)
  if (agent === undefined) return beginElsewhere(deps, run)
  const model = agent.models.join(', ')
  const goesOn = (): LegStart => ({ status: 'elsewhere', pool, ...(model !== '' && { model }) })
  if (!runs.hasRoom()) return goesOn()
  const begun = runs.join(run, tried)
  const ended = begun.result.catch(goesOn)
  const handOn = async (): Promise<LegStart> => {
    await begun.share()
    // An instant agent's end is recorded together with its take.
    return Promise.race([ended, nextTurn(goesOn())])
  }
  return pTimeout(ended, { milliseconds: INLINE_WAIT_MS, fallback: handOn })
}

/** Any worker may end a canceled run, because a pool without workers would leave it open forever. */
async function beginElsewhere(deps: ActivityDependencies, run: AgentRun): Promise<LegStart> {
  const execution = await deps.store.byId.status(run.job)
  if (execution?.status !== 'running') return { status: execution?.status ?? 'canceled' }
  return { status: 'elsewhere', pool: await poolOf(deps, run.agent) }
}

/** The activity that finds the pool of an agent. An unregistered agent is expected in this worker's pool. */
export async function poolOf({ store, pool }: ActivityDependencies, agent: string): Promise<string> {
  return (await findPool(store, agent, pool, new Date()))?.pool ?? pool
}
