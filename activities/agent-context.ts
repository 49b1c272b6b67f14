import { WorkflowFailedError } from '@temporalio/client'
import type { AgentContext } from '../agents/definition.ts'
import { findPlace } from '../agents/registry.ts'
import { TroupeError } from '../core/errors.ts'
import { stepKey, type TraceReference } from '../store/ledger-entry.ts'
import { delegatedPath, depthOf, MAX_DELEGATION_DEPTH, type AgentRun } from '../workflows/agent-run.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { untilReached, untilStored, type Scope } from './scope.ts'
import { codeCallPath, type OutcomeResult } from './step-results.ts'

/** Times that a called agent's workflow is started before the call counts as failed. */
const MAX_STARTS = 4

export interface ContextPlace extends Scope {
  /** Path of the code that runs: the agent's, or the tool call's. */
  base: string
  /** The agent's task_start. */
  start: TraceReference
}

/** What a `run` function or a tool gets to work with. */
export function createAgentContext(deps: ActivityDependencies, run: AgentRun, place: ContextPlace): AgentContext {
  let calls = 0
  return {
    jobId: run.job,
    agent: run.agent.name,
    signal: place.signal,
    log: (message, fields = {}) => deps.log.info({ ...fields, job_id: run.job, agent: run.agent.name }, message),
    heartbeat: place.heartbeat,
    fetch: deps.network.fetchFor(deps.agents.get(run.agent.name)?.network, place.signal),
    callAgent: (name, inputs) => callAgent(deps, run, place, codeCallPath(place.base, calls++), name, inputs),
  }
}

/**
 * Runs another agent as a workflow of its own within the same job. The call's place in the run is its identity: a retried
 * activity finds the answer, or the workflow still at it.
 */
async function callAgent(
  deps: ActivityDependencies,
  run: AgentRun,
  place: ContextPlace,
  path: string,
  name: string,
  inputs: unknown,
): Promise<unknown> {
  const { signal, start } = place
  const answered = () => untilReached(deps, signal, () => recordedOutcome(deps, run.job, path))
  const recorded = await answered()
  if (recorded !== undefined) return unwrap(recorded)
  if (depthOf(run) >= MAX_DELEGATION_DEPTH) {
    throw new TroupeError('bad_request', `Agents may call each other ${MAX_DELEGATION_DEPTH} levels deep, not deeper.`)
  }
  const agent = await untilReached(deps, signal, () => findPlace(deps.store, name))
  if (agent === undefined) throw new TroupeError('not_found', `Agent "${name}" is unknown.`)
  const content = await untilStored(deps, signal, () => deps.contents.put(`steps/${run.job}/${path}.in.json`, inputs))
  await deps.ledger.append({ jobId: run.job, batchId: run.batch, path: `${path}.in`, result: content, events: [] })
  const called: AgentRun = {
    job: run.job,
    ...(run.batch === undefined ? {} : { batch: run.batch }),
    path: delegatedPath(run.path, path.slice(run.path.length + 1)),
    agent,
    last: false,
    by: { agent: run.agent.name, start: start.id },
  }
  for (let starts = 1; ; starts += 1) {
    const ended = await untilReached(deps, signal, () => awaitCall(deps, called, place))
    const outcome = await answered()
    signal.throwIfAborted()
    if (outcome !== undefined) return unwrap(outcome)
    // The reconciler ends a workflow that cannot go on; what it recorded is not made again.
    if (ended === 'completed' || starts >= MAX_STARTS) throw new Error(`Agent "${name}" was ended without an answer.`)
  }
}

/** Runs the workflow of a call, or joins the one that runs. */
async function awaitCall(
  { temporal, queue }: ActivityDependencies,
  run: AgentRun,
  { signal, isCanceled }: Scope,
): Promise<'completed' | 'failed'> {
  signal.throwIfAborted()
  const handle = await temporal.workflow.start('call', {
    workflowId: `${run.job}/${run.path}`,
    taskQueue: queue,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [run],
    staticSummary: run.agent.name,
  })
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    // It may have fired while the workflow was being started.
    if (signal.aborted) reject(signal.reason)
  })
  try {
    await Promise.race([handle.result(), aborted])
    return 'completed'
  } catch (error) {
    if (error instanceof WorkflowFailedError) return 'failed'
    throw error
  } finally {
    // A worker that stops leaves it running: the next attempt joins it.
    if (isCanceled()) await handle.cancel().catch(() => undefined)
  }
}

async function recordedOutcome(
  { store, contents }: ActivityDependencies,
  jobId: string,
  path: string,
): Promise<OutcomeResult | undefined> {
  const step = await store.byId.step(stepKey(jobId, path))
  return step?.result == null ? undefined : ((await contents.value(step.result)) as OutcomeResult)
}

function unwrap(outcome: OutcomeResult): unknown {
  if ('error' in outcome) throw new Error(outcome.error)
  return outcome.result
}
