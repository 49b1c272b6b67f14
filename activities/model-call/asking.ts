import type { JsonSchema } from '../../agents/definition.ts'
import type { Model, ModelRequest, OfferedTool, Turn } from '../../agents/models/model.ts'
import { SCRIPTED } from '../../core/model-name.ts'
import { finalAnswerTool } from '../../agents/structured/final-answer.ts'
import { modelCall } from '../../core/step-path.ts'
import { taskText } from '../../core/task-text.ts'
import { answerCache, type AnswerCache } from '../records/answer-cache.ts'
import type { Leg } from '../attempt/leg.ts'
import type { ModelWork } from '../records/model-work.ts'
import type { Hold } from '../records/hold.ts'
import type { ModelStepResult } from '../records/transcript.ts'

/** Tells the model that its budget allows no further call. */
const LAST_CALL: Turn = {
  role: 'user',
  text: 'The budget for this task is used up: no tool can be called any more. Give your final answer now, from what you have.',
}

/** One model call of an agent. */
export interface Asking {
  path: string
  model: Model
  request: ModelRequest
  cache: AnswerCache<ModelStepResult>
  /** The call's reservation in its budgets. */
  hold?: Hold | undefined
  /** Start of the call, as a time of performance.now(). */
  since?: number
}

/** Prepares the next model call of an agent from its transcript. */
export function prepareCall(leg: Leg, { run, agent, inputs, transcript, exceeded, ...work }: ModelWork): Asking {
  const { deps, attempt } = leg
  const first: Turn = { role: 'user', text: taskText(inputs) }
  const { turns, steps: step } = transcript
  const last = exceeded === undefined ? [] : [LAST_CALL]
  // Structured output may arrive as a tool call.
  const noTools = exceeded !== undefined && agent.outputSchema === undefined
  const conversation = { turns: [first, ...turns, ...last], noTools, step, signal: attempt.signal, cacheKey: run.job }
  const request: ModelRequest = { agent, inputs, ...conversation, ...askFor(work.tools, agent.outputSchema?.json) }
  const model = deps.models(agent.models[work.model] ?? SCRIPTED)
  const { instructions = '', settings = {}, fingerprint } = agent
  const { provider, model: name } = model
  const asked = {
    provider,
    model: name,
    instructions,
    settings,
    turns: request.turns,
    tools: request.tools,
    output: request.output,
  }
  const script = provider === SCRIPTED ? [fingerprint, inputs, step] : null
  const call = { agent: run.agent, fingerprint, identity: ['model', asked, script] }
  const cache = answerCache<ModelStepResult>(leg, agent.cache, call)
  return { path: `${run.path}.${modelCall(step)}`, model, request, cache }
}

/** Requests structured output in the provider's own mode, or as a tool if there are other tools. */
function askFor(tools: OfferedTool[], output: JsonSchema | undefined): Pick<ModelRequest, 'tools' | 'output'> {
  if (output === undefined) return { tools }
  return tools.length === 0 ? { tools, output } : { tools: [...tools, finalAnswerTool(output)] }
}
