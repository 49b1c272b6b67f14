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
 * The inputs of an agent: the execution's inputs, the outputs of the previous agent in the chain, or the arguments of
 * its call.
 */
export async function agentInputs({ deps, execution }: Leg, run: AgentRun): Promise<unknown> {
  const caller = callerOf(run.path)
  if (caller !== undefined) return calledInputs(deps, run.job, caller)
  if (run.path === '0') return deps.contents.value(execution.inputs)
  const before = await stepResult<OutcomeResult>(deps, run.job, String(Number(run.path) - 1))
  return chainInputs('result' in before ? before.result : null)
}

/** Inputs for the start event: the value itself if it is small, otherwise a pointer into the object store. */
export async function toEventInputs({ attempt, execution }: Leg, run: AgentRun, inputs: unknown): Promise<unknown> {
  if (run.path === '0') return toEventValue(execution.inputs, inputs)
  return stepEventValue(attempt, `${run.path}.inputs`, inputs)
}

/** An agent's output as the next agent's inputs: an object unchanged, any other value wrapped. */
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
 * @throws Error if there is none, because nothing may begin before its inputs are recorded.
 */
async function stepResult<Result>(deps: ActivityDependencies, jobId: string, path: string): Promise<Result> {
  const result = await recordedResult(deps, jobId, path)
  if (result === undefined) throw new Error(`Step ${path} of ${jobId} is not recorded.`)
  return result as Result
}
