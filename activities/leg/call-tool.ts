import type { LoadedTool } from '../../agents/loaded-agent.ts'
import { delegateInputs } from '../../agents/models/offered-tools.ts'
import type { ModelToolCall } from '../../agents/models/model.ts'
import { FINAL_ANSWER } from '../../agents/structured/final-answer.ts'
import { NOT_ALONE } from '../../agents/structured/judge-answer.ts'
import type { Parked } from '../../core/execution.ts'
import { messageOf } from '../../core/errors.ts'
import { toJsonValue } from '../../core/json.ts'
import { startPath } from '../../core/step-path.ts'
import type { EventDraft } from '../../store/ledger/entry.ts'
import type { Settlement } from '../../store/spending/budgets.ts'
import { errorEvent, event, stepEventValue } from '../events.ts'
import { CodeContext } from './agent-context.ts'
import type { Executed, OutcomeResult } from '../attempt/outcome.ts'
import { holdForTool } from '../model-call/call-budget.ts'
import { answerCache } from '../records/answer-cache.ts'
import type { ModelWork } from '../records/model-work.ts'
import type { Hold } from '../records/hold.ts'
import { rethrowInterruption } from './interrupted.ts'
import type { Leg } from '../attempt/leg.ts'

/** A tool call that a model requested. */
interface ToolCallAtWork {
  call: ModelToolCall
  /** Path of the call within the execution. */
  path: string
}

/**
 * Makes one tool call and records it. An unknown tool, wrong arguments, a throwing tool or a result without JSON form
 * become data for the model. Only errors for which the tool is not responsible end the leg.
 */
export async function callTool(leg: Leg, work: ModelWork, toolCall: ToolCallAtWork): Promise<OutcomeResult | Parked> {
  const { agent, summary } = work
  const { call, path } = toolCall
  const tool = agent.tools.find(({ name }) => name === call.name)
  const cache = toolCache(leg, work, call, tool)
  const cached = await cache.find()
  if (cached !== undefined) {
    const parameters = await toEventArguments(leg, toolCall)
    const hit = event('cache_hit', agent.name, summary.start, { tool_name: call.name, parameters })
    await record(leg, path, cached, () => [hit])
    return cached
  }
  try {
    const outcome = await makeCall(leg, work, toolCall, tool)
    if ('result' in outcome) await cache.keep(outcome)
    return outcome
  } finally {
    await cache.release()
  }
}

function toolCache(leg: Leg, { agent }: ModelWork, { name, arguments: args }: ModelToolCall, tool?: LoadedTool) {
  const { fingerprint } = agent
  const identity = ['tool', name, args, tool?.parameters, tool?.source]
  return answerCache<OutcomeResult>(leg, tool?.cache, { agent: agent.name, fingerprint, identity, mayCall: true })
}

async function makeCall(
  leg: Leg,
  work: ModelWork,
  toolCall: ToolCallAtWork,
  tool: LoadedTool | undefined,
): Promise<OutcomeResult | Parked> {
  const since = performance.now()
  const hold = tool === undefined ? undefined : await holdForTool(work, toolCall.path)
  if (hold !== undefined && 'status' in hold) return hold
  if (hold !== undefined && 'outcome' in hold) return recordCall(leg, work, toolCall, { executed: hold, since })
  try {
    const executed = await execute(leg, work, tool, toolCall, hold?.signal)
    if ('status' in executed) return executed
    leg.attempt.signal.throwIfAborted()
    return await recordCall(leg, work, toolCall, { executed, since, hold })
  } finally {
    await hold?.drop()
  }
}

async function recordCall(
  leg: Leg,
  { agent, summary, budgets }: ModelWork,
  toolCall: ToolCallAtWork,
  { executed, since, hold }: { executed: Executed; since: number; hold?: Hold | undefined },
): Promise<OutcomeResult> {
  const { call, path } = toolCall
  leg.attempt.note(call.name, since)
  const { outcome, thrown } = executed
  const parameters = await toEventArguments(leg, toolCall)
  const settlements = hold?.settle({ tool_calls: 1 })
  const eventsOf = (result: unknown) => [
    event('tool_call', agent.name, summary.start, {
      tool_name: call.name,
      tool: call.name,
      parameters,
      params: parameters,
      result,
      status: 'error' in outcome ? 'error' : 'success',
      duration_ms: Math.round(performance.now() - since),
      call_id: call.id,
    }),
    ...(thrown === undefined ? [] : [errorEvent(agent.name, summary.start, thrown.error, { code: thrown.code })]),
  ]
  await record(leg, path, outcome, eventsOf, settlements)
  if (hold !== undefined) await budgets?.warn(summary)
  const timeUp = hold?.timeUp()
  if (timeUp !== undefined) throw timeUp
  return outcome
}

async function execute(
  leg: Leg,
  work: ModelWork,
  tool: LoadedTool | undefined,
  { call, path }: ToolCallAtWork,
  timeUp: AbortSignal | undefined,
): Promise<Executed | Parked> {
  const { attempt } = leg
  try {
    const runnable = checked(work, tool, call)
    const marks = runnable.retry === 'never' ? new CallMarks(leg, work, path) : undefined
    if (marks !== undefined && !(await marks.mayBegin())) return unknownOutcome(call.name)
    const context = new CodeContext(leg, work, path)
    attempt.progress.now = `calls ${call.name}`
    attempt.signal.throwIfAborted()
    const returned = await context.run(() => runnable.execute(call.arguments, context.agentContext), timeUp)
    if ('parked' in returned) await marks?.left()
    if ('parked' in returned) return returned.parked
    return { outcome: { result: toJsonValue(returned.value) } }
  } catch (error) {
    rethrowInterruption(error)
    attempt.signal.throwIfAborted()
    return { outcome: { error: messageOf(error) }, thrown: { error, code: 'tool_failed' } }
  }
}

/**
 * Finds the tool of a call and validates the arguments.
 * @throws Error with a sentence for the model if the call is invalid.
 */
function checked({ agent, delegates }: ModelWork, tool: LoadedTool | undefined, call: ModelToolCall): LoadedTool {
  if (call.malformed !== undefined) {
    throw new Error(`The arguments are no JSON object: ${call.malformed.slice(0, 200)}`)
  }
  if (agent.outputSchema !== undefined && call.name === FINAL_ANSWER) throw new Error(NOT_ALONE)
  if (tool === undefined && delegates.has(call.name)) {
    const wrong = delegateInputs(call.arguments)
    throw new Error(`Wrong arguments for ${call.name}: ${'problem' in wrong ? wrong.problem : 'they cannot be used'}`)
  }
  if (tool === undefined) throw new Error(`There is no tool "${call.name}".`)
  const problem = tool.validate(call.arguments)
  if (problem !== undefined) throw new Error(`Wrong arguments for ${call.name}: ${problem}`)
  return tool
}

/**
 * Marks of a tool that must not be called twice. One mark is written before the call, and one when the call is
 * abandoned to wait. An attempt that finds a started and not abandoned call does not repeat it.
 */
class CallMarks {
  readonly #attempt: Leg['attempt']
  readonly #path: string
  #times = 0
  readonly #isUnknown: boolean

  constructor({ attempt }: Leg, { records }: ModelWork, path: string) {
    this.#attempt = attempt
    this.#path = startPath(path)
    while (records.byPath.has(`${this.#path}.left${this.#times}`)) this.#times += 1
    this.#isUnknown = records.byPath.has(`${this.#path}${this.#times}`)
  }

  async mayBegin(): Promise<boolean> {
    if (this.#isUnknown) return false
    return (await this.#attempt.append({ path: `${this.#path}${this.#times}`, events: [] })).inserted
  }

  async left(): Promise<void> {
    await this.#attempt.append({ path: `${this.#path}.left${this.#times}`, events: [] })
  }
}

function unknownOutcome(name: string): Executed {
  const sentence = `The call of ${name} was begun, and its outcome is unknown: its worker was lost. It is not made again.`
  return { outcome: { error: sentence }, thrown: { error: new Error(sentence), code: 'outcome_unknown' } }
}

/** Arguments for the events. */
function toEventArguments({ attempt }: Leg, { call, path }: ToolCallAtWork): Promise<unknown> {
  return stepEventValue(attempt, `${path}.arguments`, call.arguments)
}

/** Writes the record and the events of a call. Large values go to the object store, and both refer to them. */
async function record(
  { attempt }: Leg,
  path: string,
  outcome: OutcomeResult,
  events: (result: unknown) => EventDraft[],
  settlements?: Settlement[],
): Promise<void> {
  const value = 'error' in outcome ? { error: outcome.error } : outcome.result
  const [result, eventResult] = await Promise.all([
    attempt.putStep(path, outcome),
    stepEventValue(attempt, `${path}.result`, value),
  ])
  await attempt.append({ path, result, events: events(eventResult), settlements })
}
