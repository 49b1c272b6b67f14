import { codeOf } from '../../core/errors.ts'
import type { AgentRun, EndStatus } from '../../core/execution.ts'
import { depthOf, endPath, startPath, stepKey } from '../../core/step-path.ts'
import { MAX_LOST_WORKERS, type Take } from '../../core/transitions.ts'
import { restOf } from '../../store/spending/budgets.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import { fieldName } from '../../store/mongodb/field-name.ts'
import type { LedgerEntry } from '../../store/ledger/entry.ts'
import { newAttemptId } from '../attempt/attempt.ts'
import type { RunSummary } from '../attempt/outcome.ts'
import type { ActivityDependencies } from '../dependencies.ts'
import { failure } from './agent-record.ts'

/** Records that an agent failed, regardless of the holder of its run. */
export async function recordOutsideFailure(
  deps: ActivityDependencies,
  run: AgentRun,
  error: unknown,
): Promise<EndStatus> {
  for (;;) {
    const execution = await deps.store.byId.execution(run.job)
    if (execution === null) return 'canceled'
    const status = await recordFailureOf(deps, run, execution, error)
    if (status !== 'overtaken') return status
  }
}

/**
 * Records that a run has cost too many workers.
 * @returns overtaken if another attempt has taken the run since.
 */
export function recordLost(
  deps: ActivityDependencies,
  run: AgentRun,
  execution: ExecutionDocument,
  seen: Take,
): Promise<EndStatus | 'overtaken'> {
  const sentence = `Its worker died or froze ${MAX_LOST_WORKERS} times while it ran, the last time ${seen.worker ?? 'one'}.`
  return recordFailureOf(deps, run, execution, Object.assign(new Error(sentence), { code: 'worker_lost' }))
}

async function recordFailureOf(
  { store, ledger }: ActivityDependencies,
  run: AgentRun,
  execution: ExecutionDocument,
  error: unknown,
): Promise<EndStatus | 'overtaken'> {
  const summary = await summaryOf(store, run, execution)
  const code = String(codeOf(error) ?? 'internal_error')
  const { sentence, events, finish } = failure(run, execution, error, summary, code)
  const common = { jobId: run.job, batchId: run.batch, events }
  const result = { json: JSON.stringify({ error: sentence }) }
  const nested = depthOf(run.path) > 0
  const ending = { ...common, path: endPath(run), result, ...lastTake(run, execution) }
  const { inserted, overtaken } = await ledger.append(
    nested ? ending : { ...common, path: 'end', finish, rest: restOf(execution) },
  )
  if (inserted) return 'failed'
  // The execution was canceled, or another attempt ended it.
  const now = await store.byId.status(run.job)
  if (nested && now?.status === 'running') return overtaken ? 'overtaken' : 'failed'
  return now === null || now.status === 'running' ? 'canceled' : now.status
}

/**
 * Withdraws the run from its holder, because the end of a called agent leaves its execution open to an abandoned
 * attempt.
 */
function lastTake({ path }: AgentRun, { takes }: ExecutionDocument): Required<Pick<LedgerEntry, 'take' | 'writer'>> {
  const { attempt: from = null, n = 0, lost = 0, records } = takes?.[fieldName(path)] ?? {}
  const take = { n: n + 1, worker: null, lost, records }
  return { writer: { path, attempt: newAttemptId() }, take: { from, take } }
}

/** The progress of an agent from its records, without the transcript. */
async function summaryOf(
  store: ActivityDependencies['store'],
  { job, path }: AgentRun,
  execution: ExecutionDocument,
): Promise<RunSummary> {
  const take = execution.takes?.[fieldName(path)]
  const started = take?.started_at === undefined ? await store.byId.step(stepKey(job, startPath(path))) : null
  return {
    start: { id: take?.start ?? started?.trace_id ?? null },
    startedAt: take?.started_at ?? started?.at ?? execution.created_at,
    ...usedOf(execution),
  }
}

/** The usage of an execution, for the end of its agents. */
export function usedOf({ usage }: ExecutionDocument): Pick<RunSummary, 'steps' | 'tokens'> {
  const models = Object.values(usage)
  const sum = (field: 'calls' | 'prompt_tokens' | 'completion_tokens'): number =>
    models.reduce((total, model) => total + model[field], 0)
  return { steps: sum('calls'), tokens: { prompt: sum('prompt_tokens'), completion: sum('completion_tokens') } }
}
