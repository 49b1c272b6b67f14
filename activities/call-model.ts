import { offeredTools } from '../agents/models/offered-tools.ts'
import type { LoadedAgent } from '../agents/loaded-agent.ts'
import type { ModelAnswer, ModelRequest, Turn } from '../agents/models/model.ts'
import { findPlace, findProfiles } from '../agents/registry.ts'
import { codeOf, messageOf } from '../core/errors.ts'
import { taskText } from '../core/task-text.ts'
import type { ExecutionDocument } from '../store/documents.ts'
import { stepKey, type Written } from '../store/ledger-entry.ts'
import {
  depthOf,
  MAX_DELEGATION_DEPTH,
  type AgentRun,
  type ModelStep,
  type PlannedCall,
} from '../workflows/agent-run.ts'
import { answerCache } from './answer-cache.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { errorEvent, event, shown } from './events.ts'
import { toFailure } from './failures.ts'
import { hostedAgent } from './hosted-agent.ts'
import { recordAnswer, recordFailed, type RunSummary } from './run-end.ts'
import { runInputs, shownInputs } from './run-inputs.ts'
import { recordStart } from './run-start.ts'
import { CANCELED, inScope, untilStored, type ActivityScope } from './scope.ts'
import { callPath, modelStepPath, type ModelStepResult } from './step-results.ts'
import type { Transcript } from './transcripts.ts'

/** Model calls of an agent that does not say how many it may make. */
const DEFAULT_MAX_STEPS = 20
/** Attempts at one model call before its failure is the agent's. */
const MAX_ATTEMPTS = 6

/** Everything that one model call of one agent needs. */
interface ModelCall {
  run: AgentRun
  agent: LoadedAgent
  execution: ExecutionDocument
  inputs: unknown
  transcript: Transcript
  scope: ActivityScope
  summary: RunSummary
  /** Writes under way. They keep their order, so nobody waits for one before the activity ends: often they become one. */
  pending: Promise<unknown>[]
  /** Of those, the write of the answer. */
  recorded?: Promise<Written>
}

/**
 * The activity that takes a model agent one step on. Where it stands is read from the recorded steps: calls that are not
 * recorded yet are given back to be made, a recorded answer is never asked for again.
 */
export function createCallModel(deps: ActivityDependencies) {
  return async function callModel(run: AgentRun): Promise<ModelStep> {
    const outcome = await inScope(deps, run.job, (scope) => takeStep(deps, run, scope))
    return outcome === CANCELED ? { status: 'canceled' } : outcome
  }
}

async function takeStep(deps: ActivityDependencies, run: AgentRun, scope: ActivityScope): Promise<ModelStep> {
  const [execution, transcript] = await Promise.all([deps.store.byId.execution(run.job), deps.transcripts.read(run)])
  if (execution?.status !== 'running') return { status: 'canceled' }
  if (transcript.open !== undefined) {
    const { answer, missing } = transcript.open
    return { status: 'calls', start: transcript.start ?? null, calls: await planCalls(deps, run, answer, missing) }
  }
  return advance(deps, run, execution, transcript, scope)
}

async function advance(
  deps: ActivityDependencies,
  run: AgentRun,
  execution: ExecutionDocument,
  transcript: Transcript,
  scope: ActivityScope,
): Promise<ModelStep> {
  const agent = hostedAgent(deps, run.agent.name)
  const inputs = await runInputs(deps, run, execution)
  const begun = transcript.start === undefined
  const { summary, written } = begun
    ? recordStart(deps, run, await shownInputs(deps, run, execution, inputs, scope.signal), true)
    : { summary: summaryOf(transcript), written: Promise.resolve() }
  const call: ModelCall = { run, agent, execution, inputs, transcript, scope, summary, pending: [] }
  underWay(call, written)
  const [step] = await Promise.allSettled([nextStep(deps, call)])
  await Promise.all(call.pending)
  if (step.status === 'rejected') throw step.reason
  const recorded = await call.recorded
  // An attempt that the engine had given up recorded its answer first: the run goes on with that one.
  if (step.value.status === 'calls' && recorded?.written === false) return takeStep(deps, run, scope)
  // A first step's start has been written by now, which is when its id is known.
  return step.value.status === 'calls' ? { ...step.value, start: summary.start.id } : step.value
}

/** A write that is waited for at the end; one that fails before then must not end the process as an unheard rejection. */
function underWay({ pending }: ModelCall, write: Promise<unknown>): void {
  write.catch(() => undefined)
  pending.push(write)
}

function summaryOf({ start, startedAt, steps, tokens }: Transcript): RunSummary {
  return { start: { id: start ?? null }, startedAt: startedAt ?? new Date(), steps, tokens: { ...tokens } }
}

async function nextStep(deps: ActivityDependencies, call: ModelCall): Promise<ModelStep> {
  const { agent, transcript, run, execution, summary, scope } = call
  if (transcript.final !== undefined) return finish(deps, call, transcript.final)
  const maxSteps = agent.maxSteps ?? DEFAULT_MAX_STEPS
  if (transcript.steps >= maxSteps) {
    const error = new Error(`The agent made ${maxSteps} model calls without coming to an answer.`)
    return { status: await recordFailed(deps, run, execution, error, summary, 'max_steps') }
  }
  let answer: ModelStepResult
  try {
    answer = await askModel(deps, call)
  } catch (error) {
    scope.signal.throwIfAborted()
    return failedCall(deps, call, error)
  }
  if (answer.calls.length === 0) return finish(deps, call, answer)
  const paths = answer.calls.map((_, index) => callPath(transcript.steps, index))
  return { status: 'calls', start: summary.start.id, calls: await planCalls(deps, run, answer, paths) }
}

async function finish(deps: ActivityDependencies, call: ModelCall, answer: ModelStepResult): Promise<ModelStep> {
  const { run, execution, summary, scope } = call
  summary.steps += 1
  summary.tokens.prompt += answer.tokens.prompt
  summary.tokens.completion += answer.tokens.completion
  return { status: await recordAnswer(deps, run, execution, answer.text, summary, scope.signal) }
}

/** A failed model call: the engine tries it again, or it is the end of the agent. */
async function failedCall(deps: ActivityDependencies, call: ModelCall, error: unknown): Promise<ModelStep> {
  const { run, execution, summary, scope, transcript } = call
  const { retryable, retryAfterMs } = error as { retryable?: unknown; retryAfterMs?: number }
  if (retryable === undefined) throw error
  const path = `${run.path}.${modelStepPath(transcript.steps)}`
  if (retryable !== true || (await failuresSoFar(deps, run.job, path)) + 1 >= MAX_ATTEMPTS) {
    return { status: await recordFailed(deps, run, execution, error, summary) }
  }
  deps.log.warn(
    { job_id: run.job, agent: run.agent.name, code: codeOf(error) },
    `model call failed: ${messageOf(error)}`,
  )
  await deps.ledger.append({
    jobId: run.job,
    batchId: run.batch,
    path: `${path}.e${scope.attempt}`,
    events: [errorEvent(run.agent.name, summary.start, error, { retryable: true })],
  })
  throw toFailure(error, { retryAfterMs })
}

/** Failures of this model call that are recorded; attempts that ended with a worker or a server are none. */
async function failuresSoFar({ store }: ActivityDependencies, jobId: string, path: string): Promise<number> {
  const prefix = stepKey(jobId, `${path}.e`)
  return store.steps.countDocuments({ _id: { $gte: prefix, $lt: `${prefix}~` } })
}

/** Makes the call, or finds its answer in the cache, and records it. */
async function askModel(deps: ActivityDependencies, call: ModelCall): Promise<ModelStepResult> {
  const { run, agent, transcript, summary, scope } = call
  const request = await modelRequest(deps, call)
  const model = deps.models(agent.model ?? 'scripted')
  const cache = answerCache<ModelStepResult>(deps, agent.cache, [
    'model',
    agent.fingerprint,
    model.provider,
    model.model,
    request.turns,
    request.tools,
    agent.model === 'scripted' ? [request.inputs, request.step] : null,
  ])
  const path = `${run.path}.${modelStepPath(transcript.steps)}`
  const store = (result: ModelStepResult) =>
    untilStored(deps, scope.signal, () => deps.contents.put(`steps/${run.job}/${path}.json`, result))
  const common = { jobId: run.job, batchId: run.batch, path }

  const cached = await cache.find()
  if (cached !== undefined) {
    const parameters = { step: transcript.steps, agent: agent.name }
    const hit = event('cache_hit', agent.name, summary.start, {
      model: model.model,
      provider: model.provider,
      parameters,
    })
    const answer = { ...cached, tokens: { prompt: 0, completion: 0 } }
    call.recorded = deps.ledger.append({ ...common, result: await store(answer), events: [hit] })
    underWay(call, call.recorded)
    return answer
  }
  const startedAt = Date.now()
  const answer = await model.generate(request)
  const { prompt_tokens: prompt, completion_tokens: completion } = answer.usage
  const result = { text: answer.text, calls: answer.calls, tokens: { prompt, completion } }
  const content = await store(result)
  const response = shown(deps.contents, content, { text: answer.text, calls: answer.calls })
  const { provider, model: name } = answer
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, calls: 1 }
  const used = event('llm_usage', agent.name, summary.start, usagePayload(answer, response, startedAt))
  const entry = { ...common, result: content, events: [used], usage: { provider, model: name, ...usage } }
  call.recorded = deps.ledger.append(entry)
  underWay(call, call.recorded)
  underWay(call, cache.keep(result))
  return result
}

function usagePayload({ provider, model, usage }: ModelAnswer, response: unknown, startedAt: number) {
  return {
    provider,
    model,
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
    total_tokens: usage.prompt_tokens + usage.completion_tokens,
    cached_tokens: usage.cached_tokens,
    usage: usage.source,
    duration_ms: Date.now() - startedAt,
    response,
  }
}

async function modelRequest(deps: ActivityDependencies, call: ModelCall): Promise<ModelRequest> {
  const { run, agent, inputs, transcript, scope } = call
  const delegates = depthOf(run) >= MAX_DELEGATION_DEPTH ? [] : (agent.delegates ?? [])
  const first: Turn = { role: 'user', text: taskText(inputs) }
  return {
    agent,
    inputs,
    turns: [first, ...transcript.turns],
    tools: offeredTools(agent, await findProfiles(deps.store, delegates)),
    step: transcript.steps,
    signal: scope.signal,
  }
}

/** The calls of an answer that are to be made; a name that is a delegate's, and no tool's, is a delegation. */
async function planCalls(
  deps: ActivityDependencies,
  run: AgentRun,
  answer: ModelStepResult,
  paths: string[],
): Promise<PlannedCall[]> {
  const agent = hostedAgent(deps, run.agent.name)
  const delegates = depthOf(run) >= MAX_DELEGATION_DEPTH ? [] : (agent.delegates ?? [])
  return Promise.all(
    paths.map(async (step): Promise<PlannedCall> => {
      const index = Number(step.slice(step.lastIndexOf('c') + 1))
      const name = answer.calls[index]?.name ?? ''
      const isDelegate = delegates.includes(name) && !agent.tools.some((tool) => tool.name === name)
      const delegate =
        isDelegate && answer.calls[index]?.malformed === undefined ? await findPlace(deps.store, name) : undefined
      return delegate === undefined ? { step, name } : { step, name, delegate }
    }),
  )
}
