import { isObject } from '../core/json.ts'
import type { ExecutionDocument } from '../store/documents.ts'
import { stepKey } from '../store/ledger-entry.ts'
import type { AgentRun } from '../workflows/agent-run.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { shown } from './events.ts'
import { untilStored } from './scope.ts'
import type { ModelStepResult, OutcomeResult } from './step-results.ts'

/**
 * What an agent works on: the execution's inputs, the outputs of the agent before it in the chain, or the arguments of the
 * call that it answers.
 */
export async function runInputs(
  deps: ActivityDependencies,
  run: AgentRun,
  execution: ExecutionDocument,
): Promise<unknown> {
  const cut = run.path.lastIndexOf('>')
  if (cut >= 0) return delegatedInputs(deps, run.job, run.path.slice(0, cut), run.path.slice(cut + 1))
  if (run.path === '0') return deps.contents.value(execution.inputs)
  const before = await stepResult<OutcomeResult>(deps, run.job, String(Number(run.path) - 1))
  return chainInputs('result' in before ? before.result : null)
}

/** Inputs as the start event shows them: themselves while they are small, a pointer into the object store otherwise. */
export async function shownInputs(
  deps: ActivityDependencies,
  run: AgentRun,
  execution: ExecutionDocument,
  inputs: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (run.path === '0') return shown(deps.contents, execution.inputs, inputs)
  const key = `steps/${run.job}/${run.path}.inputs.json`
  return shown(deps.contents, await untilStored(deps, signal, () => deps.contents.put(key, inputs)), inputs)
}

/** An answer as the next agent's inputs: an object as it is, anything else wrapped. */
function chainInputs(answer: unknown): Record<string, unknown> {
  if (isObject(answer)) return answer
  return { input: answer ?? null, text: typeof answer === 'string' ? answer : JSON.stringify(answer ?? null) }
}

async function delegatedInputs(
  deps: ActivityDependencies,
  jobId: string,
  path: string,
  step: string,
): Promise<unknown> {
  if (/(^|\.)k\d+$/.test(step)) return stepResult<unknown>(deps, jobId, `${path}.${step}.in`)
  const [modelStep = '', call = ''] = step.split('.')
  const answer = await stepResult<ModelStepResult>(deps, jobId, `${path}.${modelStep}`)
  const args = answer.calls[Number(call.slice(1))]?.arguments ?? {}
  return isObject(args.inputs) ? args.inputs : args
}

/**
 * The recorded result of a step.
 * @throws Error when there is none: a workflow never asks for a step before its predecessor was recorded.
 */
async function stepResult<Result>(
  { store, contents }: ActivityDependencies,
  jobId: string,
  path: string,
): Promise<Result> {
  const step = await store.byId.step(stepKey(jobId, path))
  if (step?.result == null) throw new Error(`Step ${path} of ${jobId} is not recorded.`)
  return (await contents.value(step.result)) as Result
}
