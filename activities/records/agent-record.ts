import { messageOf } from '../../core/errors.ts'
import type { AgentRun, EndStatus } from '../../core/execution.ts'
import { asObject, toJsonValue } from '../../core/json.ts'
import { depthOf, endPath, startPath } from '../../core/step-path.ts'
import { restOf } from '../../store/spending/budgets.ts'
import { responseName } from '../../store/objects/contents.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import type { EventDraft, Finish, TraceReference } from '../../store/ledger/entry.ts'
import { errorEvent, event, MAX_ERROR_CHARACTERS, stepEventValue, taskComplete, toEventValue } from '../events.ts'
import type { AttemptEntry } from '../attempt/attempt.ts'
import type { Leg } from '../attempt/leg.ts'
import type { OutcomeResult, RunSummary } from '../attempt/outcome.ts'

/**
 * Records an agent's start: its task_start and, for a called agent, the delegation above it. The start of the taken run
 * is part of the take. Later steps need not wait for the write, because entries keep their order.
 */
export function recordStart({ deps, attempt }: Leg, run: AgentRun, inputs: unknown): RunSummary {
  const startedAt = new Date()
  const start: TraceReference = { id: null }
  const delegation: TraceReference = { id: null }
  const events: EventDraft[] = []
  if (depthOf(run.path) > 0) {
    const { agent = run.agent, start: above = null } = run.by ?? {}
    events.push(event('delegation', agent, above, { target_agent: run.agent, inputs }, delegation))
  }
  const parent = events.length === 0 ? null : delegation
  events.push(event('task_start', run.agent, parent, { inputs, worker: deps.worker }, start))
  const isRoot = depthOf(run.path) === 0
  const entry: AttemptEntry = isRoot ? { events, startedAt } : { events, path: startPath(run.path) }
  // An attempt that cannot write is stopped by the failed write.
  attempt.append(entry).catch(() => undefined)
  return { start, startedAt, steps: 0, tokens: { prompt: 0, completion: 0 } }
}

/** Records an agent's result for its caller, for the next agent of the chain, or as the outputs. */
export async function recordResult(
  { attempt, execution }: Leg,
  run: AgentRun,
  answer: unknown,
  summary: RunSummary,
): Promise<EndStatus> {
  const at = new Date()
  const value = toJsonValue(answer)
  const endsExecution = endPath(run) === 'end'
  const stored: unknown = endsExecution ? asObject(value) : ({ result: value } satisfies OutcomeResult)
  const content = endsExecution
    ? await attempt.put(responseName(run.job, at), stored)
    : await attempt.putStep(endPath(run), stored)
  const result = endsExecution
    ? toEventValue(content, stored)
    : await stepEventValue(attempt, `${endPath(run)}.result`, asObject(value))
  const finish: Finish = {
    status: 'completed',
    outputs: content,
    error: null,
    latencyMs: at.getTime() - execution.created_at.getTime(),
    at,
  }
  const events = [taskComplete(run.agent, 'completed', result, summary)]
  const { inserted } = await attempt.append(
    endsExecution
      ? { path: 'end', events, finish, rest: restOf(execution) }
      : { ...ending(attempt.run, run), events, result: content },
  )
  // Only a cancel can end an execution that the attempt holds.
  return inserted ? 'completed' : 'canceled'
}

/** Details of a failure besides its error. */
export interface FailureDetails {
  /** Code of the error event; default: the error's own code. */
  code?: string
  /** Partial results, stored beside `error` in the execution's outputs. */
  kept?: Record<string, unknown>
}

/**
 * Records an agent's failure. The failure of a called agent is data for its caller; any other failure ends the
 * execution.
 */
export async function recordFailed(
  { attempt, execution }: Leg,
  run: AgentRun,
  error: unknown,
  summary: RunSummary,
  { code, kept }: FailureDetails = {},
): Promise<EndStatus> {
  const { sentence, events, finish } = failure(run, execution, error, summary, code)
  const result = { json: JSON.stringify({ error: sentence } satisfies OutcomeResult) }
  const isCalled = depthOf(run.path) > 0
  if (kept !== undefined && !isCalled) {
    finish.outputs = await attempt.put(responseName(run.job, finish.at), { error: sentence, ...kept })
  }
  const { inserted } = await attempt.append(
    isCalled
      ? { ...ending(attempt.run, run), events, result }
      : { path: 'end', events, finish, rest: restOf(execution) },
  )
  return inserted ? 'failed' : 'canceled'
}

/** Records an uncaught error of a run's code. */
export function recordStray(leg: Leg, run: AgentRun, error: unknown): Promise<EndStatus> {
  const summary = leg.attempt.summary ?? recordStart(leg, run, null)
  return recordFailed(leg, run, error, summary, { code: 'stray_error' })
}

/** The entry of a failed agent. */
export function failure(
  run: AgentRun,
  { mode }: Pick<ExecutionDocument, 'mode'>,
  error: unknown,
  summary: RunSummary,
  code?: string,
): { sentence: string; events: EventDraft[]; finish: Finish } {
  const reason = messageOf(error).slice(0, MAX_ERROR_CHARACTERS)
  const isNamed = depthOf(run.path) > 0 || mode === 'sequential'
  const sentence = isNamed ? `Agent "${run.agent}" failed: ${reason}` : reason
  const events = [
    errorEvent(run.agent, summary.start, error, { code }),
    taskComplete(run.agent, 'failed', { error: sentence }, summary),
  ]
  const outputs = { json: JSON.stringify({ error: sentence }) }
  return { sentence, events, finish: { status: 'failed', outputs, error: sentence, latencyMs: 0, at: new Date() } }
}

/** The record of an agent's end that does not end the execution. The end of the run itself also releases the run. */
function ending(taken: AgentRun, run: AgentRun): { path: string; releases: boolean } {
  return { path: endPath(run), releases: run === taken }
}
