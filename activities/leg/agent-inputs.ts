import { delegateInputs } from '../../agents/models/offered-tools.ts'
import type { AgentRun } from '../../core/execution.ts'
import { isObject } from '../../core/json.ts'
import { callerOf, inputsPath, isCodeCall, modelCall, parseToolCall } from '../../core/step-path.ts'
import type { ActivityDependencies } from '../dependencies.ts'
import { stepEventValue, toEventValue } from '../events.ts'
import type { Leg } from '../attempt/leg.ts'
import type { OutcomeResult } from '../attempt/outcome.ts'
import { recordedResult, type ModelStepResult } from '../records/transcript.ts'

/**
 * What an agent works on: the execution's inputs, the outputs of the agent before it in the chain, or the arguments of the
 * call that it answers.
 */
export async function agentInputs({ deps, execution }: Leg, run: AgentRun): Promise<unknown> {
  const caller = callerOf(run.path)
  if (caller !== undefined) return calledInputs(deps, run.job, caller)
  if (run.path === '0') return deps.contents.value(execution.inputs)
  const before = await stepResult<OutcomeResult>(deps, run.job, String(Number(run.path) - 1))
  return chainInputs('result' in before ? before.result : null)
}

/** Inputs as the start event shows them: themselves while they are small, a pointer into the object store otherwise. */
export async function toEventInputs({ attempt, execution }: Leg, run: AgentRun, inputs: unknown): Promise<unknown> {
  if (run.path === '0') return toEventValue(execution.inputs, inputs)
  return stepEventValue(attempt, `${run.path}.inputs`, inputs)
}

/** An answer as the next agent's inputs: an object as it is, anything else wrapped. */
function chainInputs(answer: unknown): Record<string, unknown> {
  if (isObject(answer)) return answer
  return { input: answer ?? null, text: typeof answer === 'string' ? answer : JSON.stringify(answer ?? null) }
}

async function calledInputs(
  deps: ActivityDependencies,
  jobId: string,
  { path, call }: { path: string; call: string },
): Promise<unknown> {
  if (isCodeCall(call)) return stepResult<unknown>(deps, jobId, inputsPath(`${path}.${call}`))
  const { step, index } = parseToolCall(call) ?? { step: 0, index: 0 }
  const answer = await stepResult<ModelStepResult>(deps, jobId, `${path}.${modelCall(step)}`)
  const checked = delegateInputs(answer.calls[index]?.arguments)
  return 'inputs' in checked ? checked.inputs : {}
}

/**
 * The recorded result of a step.
 * @throws Error when there is none: nothing is begun before what it rests on was recorded.
 */
async function stepResult<Result>(deps: ActivityDependencies, jobId: string, path: string): Promise<Result> {
  const result = await recordedResult(deps, jobId, path)
  if (result === undefined) throw new Error(`Step ${path} of ${jobId} is not recorded.`)
  return result as Result
}
