import { Context } from '@temporalio/activity'
import type { LoadedAgent } from '../agents/loaded-agent.ts'
import { isObject } from '../core/json.ts'
import type { ExecutionDocument } from '../store/documents.ts'
import { stepKey } from '../store/ledger-entry.ts'
import { endPath, type AgentRun, type RunStatus } from '../workflows/agent-run.ts'
import { createAgentContext } from './agent-context.ts'
import type { CodeRuns } from './code-runs.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { errorEvent } from './events.ts'
import { toFailure } from './failures.ts'
import { hostedAgent } from './hosted-agent.ts'
import { recordAnswer, recordFailed, type RunSummary } from './run-end.ts'
import { runInputs, shownInputs } from './run-inputs.ts'
import { recordStart } from './run-start.ts'
import type { Scope } from './scope.ts'
import type { OutcomeResult } from './step-results.ts'

/** Attempts of a `run` whose error says `retryable: true`. */
const MAX_RETRYABLE_ATTEMPTS = 6

/** The activity that runs an agent of plain code, or follows its run where this worker has begun it already. */
export function createRunCode(runs: CodeRuns) {
  return async function runCode(run: AgentRun): Promise<RunStatus> {
    const context = Context.current()
    const code = runs.find(run) ?? runs.begin(run)
    return code.follow(context)
  }
}

/** Runs an agent of plain code, unless its end is recorded. */
export async function runUnrecorded(deps: ActivityDependencies, run: AgentRun, scope: Scope): Promise<RunStatus> {
  const [execution, ended] = await Promise.all([deps.store.byId.execution(run.job), recordedEnd(deps, run)])
  if (ended !== undefined) return ended
  if (execution === null) return 'canceled'
  return execution.status === 'running' ? runOne(deps, run, execution, scope) : execution.status
}

/** How an agent inside a run ended, when that is recorded: its activity's answer may have been lost. */
async function recordedEnd({ store, contents }: ActivityDependencies, run: AgentRun): Promise<RunStatus | undefined> {
  const path = endPath(run)
  if (path === 'end') return undefined
  const step = await store.byId.step(stepKey(run.job, path))
  if (step?.result == null) return undefined
  return 'error' in ((await contents.value(step.result)) as OutcomeResult) ? 'failed' : 'completed'
}

/** Runs one code agent, from its start event to its recorded end. */
export async function runOne(
  deps: ActivityDependencies,
  run: AgentRun,
  execution: ExecutionDocument,
  scope: Scope,
): Promise<RunStatus> {
  const agent = hostedAgent(deps, run.agent.name)
  const inputs = await runInputs(deps, run, execution)
  const shown = await shownInputs(deps, run, execution, inputs, scope.signal)
  const first = run.path === '0' && execution.started_at === undefined
  const { summary, written } = recordStart(deps, run, shown, first)
  const ended = execute(deps, run, agent, inputs, execution, scope, summary)
  // Both are waited for, also when one of them fails: nothing may go on behind the back of an activity that has ended.
  const [start, end] = await Promise.allSettled([written, ended])
  if (start.status === 'rejected') throw start.reason
  if (end.status === 'rejected') throw end.reason
  return end.value
}

async function execute(
  deps: ActivityDependencies,
  run: AgentRun,
  agent: LoadedAgent,
  inputs: unknown,
  execution: ExecutionDocument,
  scope: Scope,
  summary: RunSummary,
): Promise<RunStatus> {
  const context = createAgentContext(deps, run, { ...scope, base: run.path, start: summary.start })
  let answer: unknown
  try {
    scope.signal.throwIfAborted()
    answer = await agent.run?.(inputs as never, context)
    JSON.stringify(answer)
  } catch (error) {
    scope.signal.throwIfAborted()
    if (await mayRetry(deps, run, error, summary)) throw toFailure(error)
    return recordFailed(deps, run, execution, error, summary)
  }
  scope.signal.throwIfAborted()
  return recordAnswer(deps, run, execution, answer, summary, scope.signal)
}

/** Whether the error asks for another attempt and there is one left; then its error event is recorded, and counted. */
async function mayRetry(
  { store, ledger }: ActivityDependencies,
  run: AgentRun,
  error: unknown,
  { start }: RunSummary,
): Promise<boolean> {
  if (!isObject(error) || error.retryable !== true) return false
  const prefix = stepKey(run.job, `${run.path}.e`)
  const failures = await store.steps.countDocuments({ _id: { $gte: prefix, $lt: `${prefix}~` } })
  if (failures + 1 >= MAX_RETRYABLE_ATTEMPTS) return false
  const events = [errorEvent(run.agent.name, start, error, { retryable: true })]
  await ledger.append({ jobId: run.job, batchId: run.batch, path: `${run.path}.e${failures}`, events })
  return true
}
