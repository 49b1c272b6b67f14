import type { Prompt, PromptItem } from '../../contracts/prompts.ts'
import type { Job, JobEnded, JobItem, JobStored } from '../../contracts/jobs.ts'
import { costView } from '../../core/cost.ts'
import { answerStatus, hasEnded } from '../../core/task-answer.ts'
import { tokenUsage } from '../../core/usage.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { jsonObject, type JsonText } from '../http/json-text.ts'
import { executionBudget } from './budget.ts'
import { contentText } from './content-text.ts'

/** The fields of an execution in lists. */
export type ExecutionSummary = Pick<ExecutionDocument, '_id' | keyof typeof summaryFields>

/** Projection of the fields in lists. */
export const summaryFields = { prompt_name: 1, status: 1, created_at: 1, completed_at: 1 } as const

/** A prompt in a list. */
export function promptItemView(execution: ExecutionSummary): PromptItem {
  const { _id, prompt_name, status, created_at, completed_at } = execution
  return {
    prompt_id: _id,
    prompt_name,
    status,
    created_at: created_at.toISOString(),
    completed_at: completed_at?.toISOString() ?? null,
  }
}

/** A job in a list. */
export function jobItemView(execution: ExecutionSummary): JobItem {
  const { _id, prompt_name, status, created_at, completed_at } = execution
  return {
    job_id: _id,
    status,
    pipeline_name: prompt_name,
    created_at: created_at.toISOString(),
    completed_at: completed_at?.toISOString() ?? null,
  }
}

/** The outputs of an execution; null until the end and after a cancel. @throws TroupeError storage_failed */
export async function outputsText(
  deps: Dependencies,
  { status, outputs, error }: ExecutionDocument,
  responseClosed: AbortSignal,
): Promise<JsonText | null> {
  if (status === 'running' || status === 'canceled') return null
  return outputs === null ? jsonObject({ error }) : contentText(deps, outputs, responseClosed)
}

/** A list item with the fields that lists omit, in the order of the interface. */
async function wholeText<Item extends PromptItem | JobItem>(
  deps: Dependencies,
  { created_at, completed_at, ...item }: Item,
  execution: ExecutionDocument,
  responseClosed: AbortSignal,
) {
  return {
    ...item,
    inputs: await contentText(deps, execution.inputs, responseClosed),
    outputs: await outputsText(deps, execution, responseClosed),
    created_at,
    completed_at,
    token_usage: tokenUsage(execution.usage),
    error: execution.error,
    cost: costView(execution.usage),
    budget: await executionBudget(deps, execution),
    submitted_by: execution.submitted_by ?? null,
  }
}

/** The whole prompt. @throws TroupeError storage_failed */
export async function promptView(deps: Dependencies, execution: ExecutionDocument, responseClosed: AbortSignal) {
  return jsonObject<Prompt>(await wholeText(deps, promptItemView(execution), execution, responseClosed))
}

/** The whole job. @throws TroupeError storage_failed */
export async function jobView(deps: Dependencies, execution: ExecutionDocument, responseClosed: AbortSignal) {
  const { kind, mode, agents, batch_id, replay_of, started_at } = execution
  return jsonObject<Job>({
    ...(await wholeText(deps, jobItemView(execution), execution, responseClosed)),
    kind,
    mode,
    agents: agents.map(({ name }) => name),
    batch_id: batch_id ?? null,
    replay_of: replay_of ?? null,
    started_at: started_at?.toISOString() ?? null,
  })
}

/** Facts for the response of a job, without its result; they do not change after the first response. */
export type JobEnd = Pick<ExecutionDocument, '_id' | 'status' | 'error'> & {
  completed_at: string | null
  duration_ms: number
}

/** The current state of a job. */
export function jobEndOf({ _id, status, error, created_at, completed_at }: ExecutionDocument): JobEnd {
  const duration_ms = Math.max(0, (completed_at ?? new Date()).getTime() - created_at.getTime())
  return { _id, status, error, completed_at: completed_at?.toISOString() ?? null, duration_ms }
}

/** The stored result of a job, as it was at `end`. @throws TroupeError storage_failed */
export async function jobStoredView(deps: Dependencies, found: ExecutionDocument, end: JobEnd, closed: AbortSignal) {
  const { status, error, completed_at } = end
  const execution = { ...found, status, error }
  const { job_id, pipeline_name, created_at } = jobItemView(execution)
  const result = await outputsText(deps, execution, closed)
  return jsonObject<JobStored>({ job_id, status, result, error, pipeline_name, created_at, completed_at })
}

/** The response to a client that waited for a job. @throws TroupeError storage_failed */
export async function jobEndedView(deps: Dependencies, execution: ExecutionDocument, end: JobEnd, closed: AbortSignal) {
  const { _id, error, duration_ms } = end
  return jsonObject<JobEnded & { replay_of?: string | undefined }>({
    job_id: _id,
    status: hasEnded(end) ? answerStatus(end.status) : 'error',
    result: await outputsText(deps, execution, closed),
    error,
    duration_ms,
    agent: execution.prompt_name,
    replay_of: execution.replay_of,
  })
}
