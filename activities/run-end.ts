import { asObject } from '../core/json.ts'
import { messageOf } from '../core/errors.ts'
import { responseKey } from '../store/contents.ts'
import type { Content, ExecutionDocument } from '../store/documents.ts'
import type { EventDraft, Finish, LedgerEntry, TraceReference } from '../store/ledger-entry.ts'
import { depthOf, endPath, type AgentRun, type RunStatus } from '../workflows/agent-run.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { errorEvent, event, MAX_ERROR_CHARACTERS, shown } from './events.ts'
import { untilStored } from './scope.ts'
import type { OutcomeResult } from './step-results.ts'

/** What the end of an agent says about the way there. */
export interface RunSummary {
  start: TraceReference
  startedAt: Date
  /** Model calls made. */
  steps: number
  tokens: { prompt: number; completion: number }
}

/** Records that an agent has its answer: for the agent that called it, for the next of the chain, or as the outputs. */
export async function recordAnswer(
  deps: ActivityDependencies,
  run: AgentRun,
  execution: Pick<ExecutionDocument, 'created_at'>,
  answer: unknown,
  summary: RunSummary,
  signal: AbortSignal,
): Promise<RunStatus> {
  const at = new Date()
  const endsExecution = endPath(run) === 'end'
  const stored: unknown = endsExecution ? asObject(answer) : ({ result: answer ?? null } satisfies OutcomeResult)
  const key = endsExecution ? responseKey(run.job, at) : `steps/${run.job}/${endPath(run)}.json`
  const content = await untilStored(deps, signal, () => deps.contents.put(key, stored))
  const result = 'json' in content ? asObject(answer) : shown(deps.contents, content, undefined)
  const finish: Finish = {
    status: 'completed',
    outputs: content,
    error: null,
    latencyMs: at.getTime() - execution.created_at.getTime(),
    at,
  }
  const { written } = await deps.ledger.append({
    ...entry(run, endsExecution ? null : content),
    events: [complete(run, 'completed', result, summary)],
    ...(endsExecution ? { finish } : {}),
  })
  return written || !endsExecution ? 'completed' : recordedStatus(deps, run.job)
}

/**
 * Records that an agent failed. A delegated agent's failure is data for the agent that called it; any other ends the
 * execution.
 */
export async function recordFailed(
  deps: ActivityDependencies,
  run: AgentRun,
  execution: Pick<ExecutionDocument, 'created_at' | 'mode'>,
  error: unknown,
  summary: RunSummary,
  code?: string,
): Promise<RunStatus> {
  const nested = depthOf(run) > 0
  const named = nested || execution.mode === 'sequential'
  const told = messageOf(error).slice(0, MAX_ERROR_CHARACTERS)
  const sentence = named ? `Agent "${run.agent.name}" failed: ${told}` : told
  const at = new Date()
  const outcome: Content = { json: JSON.stringify({ error: sentence } satisfies OutcomeResult) }
  const events = [
    errorEvent(run.agent.name, summary.start, error, code === undefined ? {} : { code }),
    complete(run, 'failed', { error: sentence }, summary),
  ]
  const finish: Finish = { status: 'failed', outputs: outcome, error: sentence, latencyMs: 0, at }
  const { written } = await deps.ledger.append(
    nested ? { ...entry(run, outcome), events } : { ...entry(run, null), path: 'end', events, finish },
  )
  return written || nested ? 'failed' : recordedStatus(deps, run.job)
}

/** How the execution ended for which this end came too late: canceled meanwhile, or ended by another attempt. */
async function recordedStatus({ store }: ActivityDependencies, jobId: string): Promise<RunStatus> {
  const execution = await store.byId.status(jobId)
  return execution === null || execution.status === 'running' ? 'canceled' : execution.status
}

function entry(run: AgentRun, result: Content | null): Omit<LedgerEntry, 'events'> {
  return { jobId: run.job, batchId: run.batch, path: endPath(run), result }
}

function complete(run: AgentRun, status: RunStatus, result: unknown, summary: RunSummary): EventDraft {
  const { prompt, completion } = summary.tokens
  return event('task_complete', run.agent.name, summary.start, {
    status,
    result,
    duration_ms: Date.now() - summary.startedAt.getTime(),
    steps: summary.steps,
    token_usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  })
}
