import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  isCancellation,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow'
import { agentActivities, followActivities, localActivities, recordActivities } from './activities.ts'
import { delegatedPath, type AgentRun, type PlannedCall, type RunStatus } from './agent-run.ts'
import { MODEL_SHARD_TASKS } from './shard-plan.ts'

/** A history this long continues in a new run of the workflow, well before the engine's own limits. */
const MAX_HISTORY_EVENTS = 4_000
/** Calls of one answer that are made at the same time: a workflow may have 2,000 activities under way. */
const MAX_CALLS_AT_ONCE = 500
/** A shard runs many tasks, each with calls of its own. */
const MAX_CALLS_OF_TASK_AT_ONCE = 1_500 / MODEL_SHARD_TASKS

/** How an agent came out of the loop: at its end, or because the history must begin anew. */
export type LoopOutcome = RunStatus | 'continue_as_new'

/**
 * Runs an agent to its end: plain code at once where the workflow runs if that may be, a model agent as model call → tool
 * calls in parallel → model call … All that it knows is in the records, so it can be left at any step and taken up again.
 */
export function runAgent(run: AgentRun, priority: number): Promise<LoopOutcome> {
  return orRecordFailure(run, () =>
    run.agent.kind === 'code' ? startAndFollow(run, priority) : runModelAgent(run, priority),
  )
}

/** An agent that answers one of several calls: it must not keep the workflow task open that sends the others on their way. */
function runDelegate(run: AgentRun, priority: number): Promise<LoopOutcome> {
  const { runCode } = agentActivities(run.agent.pool, priority)
  return orRecordFailure(run, () => (run.agent.kind === 'code' ? runCode(run) : runModelAgent(run, priority)))
}

async function orRecordFailure(run: AgentRun, work: () => Promise<LoopOutcome>): Promise<LoopOutcome> {
  try {
    return await work()
  } catch (error) {
    rethrowUnlessFailed(error)
    return recordActivities.recordFailure(run, describeFailure(error))
  }
}

/** A cancel is no failure of an activity, and neither is an error of this code: that one fails the workflow task. */
function rethrowUnlessFailed(error: unknown): void {
  if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error
}

async function startAndFollow(run: AgentRun, priority: number): Promise<RunStatus> {
  try {
    const code = await localActivities.startCode(run)
    if (code.status === 'running') return await followActivities(code.queue, priority).runCode(run)
    if (code.status !== 'not_started') return code.status
  } catch (error) {
    // The worker that began it is gone, or the code asked for another attempt.
    rethrowUnlessFailed(error)
  }
  return agentActivities(run.agent.pool, priority).runCode(run)
}

async function runModelAgent(run: AgentRun, priority: number): Promise<LoopOutcome> {
  const { callModel } = agentActivities(run.agent.pool, priority)
  for (;;) {
    const step = await callModel(run)
    if (step.status !== 'calls') return step.status
    const outcome = worst(await makeCalls(run, step.calls, step.start, priority))
    if (outcome !== 'completed') return outcome
    if (historyIsLong()) return 'continue_as_new'
  }
}

async function makeCalls(
  run: AgentRun,
  calls: PlannedCall[],
  start: number | null,
  priority: number,
): Promise<LoopOutcome[]> {
  const { callTool } = agentActivities(run.agent.pool, priority)
  const make = async ({ step, delegate }: PlannedCall): Promise<LoopOutcome> => {
    if (delegate === undefined) return (await callTool(run, { step, start })) === 'done' ? 'completed' : 'canceled'
    const outcome = await runDelegate(delegated(run, step, delegate, start), priority)
    // A failed delegate is an error result in the conversation: the agent that asked decides.
    return outcome === 'failed' ? 'completed' : outcome
  }
  const waiting = [...calls]
  const outcomes: LoopOutcome[] = []
  const makeNext = async (): Promise<void> => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
      const outcome = await make(call)
      outcomes.push(outcome)
      // A canceled run makes no further call.
      if (outcome === 'canceled') waiting.length = 0
    }
  }
  const atOnce = run.batch === undefined ? MAX_CALLS_AT_ONCE : MAX_CALLS_OF_TASK_AT_ONCE
  const settled = await Promise.allSettled(Array.from({ length: Math.min(atOnce, calls.length) }, makeNext))
  const rejected = settled.find((outcome) => outcome.status === 'rejected')
  if (rejected !== undefined) throw rejected.reason
  return outcomes
}

function delegated(run: AgentRun, step: string, agent: AgentRun['agent'], start: number | null): AgentRun {
  const { job, batch, path } = run
  const by = { agent: run.agent.name, start }
  return { job, ...(batch === undefined ? {} : { batch }), path: delegatedPath(path, step), agent, last: false, by }
}

function worst(outcomes: LoopOutcome[]): LoopOutcome {
  if (outcomes.includes('canceled')) return 'canceled'
  return outcomes.includes('continue_as_new') ? 'continue_as_new' : 'completed'
}

function historyIsLong(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo()
  return continueAsNewSuggested || historyLength > MAX_HISTORY_EVENTS
}

/** A failure that came from outside the activities' own code, as code and sentence. */
export function describeFailure(error: unknown): { code: string; message: string } {
  const wrapped = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure
  const cause = wrapped ? (error.cause ?? error) : error
  const code = cause instanceof ApplicationFailure ? (cause.type ?? 'activity_failed') : 'activity_failed'
  return { code, message: cause instanceof Error ? cause.message : String(cause) }
}
