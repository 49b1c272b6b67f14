import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Client, Connection } from '@temporalio/client'
import pTimeout from 'p-timeout'
import { TroupeError } from '../../core/errors.ts'
import { workflowId } from '../../core/queues.ts'
import { idFromSeed } from '../http/seeded-ids.ts'
import { cancelExecutions, cancelTasks, isCanceledBatch } from '../../store/cancel-tasks.ts'
import type { Content, ExecutionDocument, Submitter } from '../../store/documents.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import { ALL_COUNTED, hasWorkflow } from '../../store/open.ts'
import { cancelWorkflow, startPrompt, terminateWorkflow, wakeBatch } from '../../workflows/client.ts'
import { findBatch } from '../reads/batches.ts'
import { findExecution } from '../reads/executions.ts'
import { createBacklog, type Backlog } from './backlog.ts'
import { checkInputs, checkTasks } from './check-inputs.ts'
import { createSubmissions, takingBatch, type NewBatch, type Submissions } from '../../store/submissions.ts'
import { isTransient } from '../../store/mongodb/transient.ts'
import type { Dependencies } from '../dependencies.ts'
import type { AddedTasks, Runs, Submission, TaskSubmission } from './submission.ts'
import { createTemporalGate, type TemporalGate } from './temporal-gate.ts'
import { waitForEnd, waitForTasks } from './waiting.ts'

export type RunsOptions = Pick<Dependencies, 'store' | 'contents' | 'feed' | 'log'> & {
  temporal: Client
  ledger: Ledger
  /** Task queue of the workflows. */
  queue: string
  /** Maximum number of unfinished executions. */
  maxBacklog: number
}

/** Timeout of a ping. A busy server responds within this time; an unreachable one usually fails at once. */
const PING_TIMEOUT_MS = 5_000
/** How long the response to a cancel of a batch waits for its workflow and tasks. */
const STOPPED_WITHIN_MS = 8_000
/** How many inputs are prepared for storage concurrently; large ones are uploaded to the object store. */
const TASKS_AT_ONCE = 200

/** Dependencies of the functions below. */
type Parts = RunsOptions & { submissions: Submissions; gate: TemporalGate; backlog: Backlog }

/** Creates the `Runs` of a process. */
export function createRuns(options: RunsOptions): Runs {
  const parts = {
    ...options,
    submissions: createSubmissions(options.store),
    gate: createTemporalGate(options.temporal),
    backlog: createBacklog({ store: options.store, log: options.log, max: options.maxBacklog }),
  }
  return {
    workflowIdPrefix: workflowId(options.queue, ''),
    refuseWhenFull: () => parts.backlog.admit(0),
    submit: (submission) => submit(parts, submission),
    addTasks: (submission) => addTasks(parts, submission),
    cancel: (id) => cancel(parts, id),
    cancelBatch: (id) => cancelBatch(parts, id),
    waitForEnd: (id, signal) => waitForEnd(parts, id, signal),
    waitForTasks: (batchId, ids, signal) => waitForTasks(parts, batchId, ids, signal),
    ping: () => ping(options.temporal),
  }
}

async function submit(parts: Parts, submission: Submission): Promise<ExecutionDocument> {
  const { submissions, gate, backlog, log } = parts
  await checkInputs(submission.agents[0], submission.inputs)
  backlog.admit(1)
  const fresh = await newExecution(parts, submission)
  const execution = await submissions.insert(fresh).catch(unsure)
  try {
    if (execution.status === 'running') await gate.pass(() => startPrompt(parts, execution))
  } catch (error) {
    // A started run cannot be withdrawn, so the submission counts as accepted.
    // The same holds for a run that an earlier attempt with this seed has started.
    const withdrawn = execution === fresh && (await submissions.withdraw(execution._id).catch(unsure))
    if (withdrawn) {
      const sentence = 'Temporal cannot be reached; nothing was started. Try again.'
      throw new TroupeError('unavailable', sentence, { cause: error })
    }
  }
  const { _id: job_id, kind, prompt_name: agent } = execution
  log.info({ job_id, kind, agent }, 'execution submitted')
  return execution
}

/**
 * Fails a submission whose outcome in the database is unknown.
 * @throws TroupeError unavailable, or any other given error
 */
function unsure(error: unknown): never {
  if (!isTransient(error)) throw error
  const sentence =
    'The database does not respond: the work may have started. Try again; with the same Idempotency-Key nothing starts twice.'
  throw new TroupeError('unavailable', sentence, { cause: error })
}

async function addTasks(parts: Parts, submission: TaskSubmission): Promise<AddedTasks> {
  const { temporal, gate, submissions, backlog, log } = parts
  const { batch_id, seed, agent, mustExist } = submission
  const id = batch_id ?? idFromSeed(seed, 0)
  // Checked before anything is counted or stored.
  if (mustExist) takingBatch(await parts.store.batches.findOne({ _id: id }, { projection: { status: 1 } }), id)
  await checkTasks(agent, submission.tasks)
  if (batch_id !== undefined && !mustExist) await refuseExecutionId(parts, batch_id)
  // Checked before anything is stored, because stored tasks are accepted and will run.
  if (!(await ping(temporal))) {
    throw new TroupeError('unavailable', 'Temporal cannot be reached; nothing was stored. Try again.')
  }
  backlog.admit(submission.tasks.length)
  const tasks = await newTasks(parts, submission)
  const { budget, task_budget } = submission
  const at = new Date()
  const batch = { id, agentName: agent.name, mustExist, at, budget, task_budget, ...submitterOf(submission) }
  const documents = taskDocuments(tasks, submission, batch)
  const stored = await submissions.addTasks(batch, documents).catch(unsure)
  await gate
    .pass(() => wakeBatch(parts, stored))
    .catch((error: unknown) => {
      log.warn({ batch_id: id, err: error }, 'cannot signal the batch at Temporal; the reconciler will do it')
    })
  log.info({ batch_id: id, agent: agent.name, tasks: tasks.length }, 'tasks submitted')
  const { task_count: total, agent_name } = stored
  return { batch_id: id, agent_name, ids: tasks.map(({ id }) => id), total }
}

async function cancel(parts: Parts, id: string): Promise<{ ok: boolean; status: ExecutionDocument['status'] }> {
  const execution = await findExecution(parts.store, id)
  if (execution.status === 'running') {
    const isOwn = await hasWorkflow(parts.store, execution)
    await cancelExecutions(parts, [execution])
    if (isOwn) await atTemporal(parts, id, () => cancelWorkflow(parts, id))
  }
  const { status } = await findExecution(parts.store, id)
  return { ok: status === 'canceled', status }
}

async function cancelBatch(parts: Parts, id: string): Promise<{ ok: boolean; status: string }> {
  const { store } = parts
  // Repeated for a canceled batch, because a process may have died before it stopped the tasks.
  const stopping = { status: 'canceled' as const, completed_at: null }
  const before = await store.batches.findOneAndUpdate(
    { _id: id, $or: [{ status: { $in: ['submitted', 'running'] } }, stopping] },
    { $set: { status: 'canceled' } },
  )
  if (before === null) {
    const { status } = await findBatch(parts, id)
    return { ok: status === 'canceled', status }
  }
  const stopped = stopBatch(parts, id)
  await pTimeout(stopped, { milliseconds: STOPPED_WITHIN_MS, fallback: () => logLate(parts, id, stopped) })
  return { ok: true, status: 'canceled' }
}

async function stopBatch(parts: Parts, id: string): Promise<void> {
  await atTemporal(parts, id, () => cancelWorkflow(parts, id, () => isCanceledBatch(parts.store, id)))
  await cancelTasks(parts, id)
  await endBatchAtRest(parts, id)
}

/** Logs that tasks are stopped after the response. The batch is recorded as canceled, so all of its tasks will be. */
function logLate({ log }: Parts, id: string, stopped: Promise<void>): void {
  log.info({ batch_id: id }, 'batch canceled; still stopping its workflow and tasks')
  stopped.catch((error: unknown) => {
    log.warn(
      { batch_id: id, err: error },
      'cannot cancel all tasks of a canceled batch; the reconciler will cancel the rest',
    )
  })
}

/**
 * Records the end of a canceled batch without running tasks, even if no worker is alive. Terminates its workflow first:
 * a workflow that still waited for a worker would later stop a new batch with the same id.
 */
async function endBatchAtRest(parts: Parts, id: string): Promise<void> {
  const { batches, open } = parts.store
  if ((await open.findOne({ batch_id: id })) !== null || (await batches.findOne({ _id: id, ...ALL_COUNTED })) === null)
    return
  const reason = 'The batch was canceled while none of its tasks were running.'
  const isMeant = () => isCanceledBatch(parts.store, id)
  if (!(await atTemporal(parts, id, () => terminateWorkflow(parts, id, reason, isMeant)))) return
  const stopped = { _id: id, status: 'canceled' as const, completed_at: null, ...ALL_COUNTED }
  await batches.updateOne(stopped, { $set: { completed_at: new Date() } })
}

/** Whether Temporal accepted a cancel; the reconciler repeats a failed one. */
async function atTemporal({ gate, log }: Parts, id: string, stop: () => Promise<void>): Promise<boolean> {
  try {
    await gate.pass(stop)
    return true
  } catch (error) {
    log.warn({ id, err: error }, 'cannot cancel at Temporal; the reconciler will repeat it')
    return false
  }
}

async function newExecution(options: RunsOptions, submission: Submission): Promise<ExecutionDocument> {
  const id = idFromSeed(submission.seed, 0)
  const { kind, mode, prompt_name, replay_of, budget } = submission
  const agents = submission.agents.map(({ name }) => ({ name }))
  const inputs = await storedInputs(options, id, submission.inputs)
  const shared = { kind, agents, mode, prompt_name, replay_of, ...submitterOf(submission), budget }
  return { _id: id, ...shared, ...freshState(inputs, new Date(), submission) }
}

/** The submitter for fair sharing; the default weight is not stored. */
function submitterOf({ caller }: Pick<Submission, 'caller'>): Submitter {
  return { submitted_by: caller.name, weight: caller.weight === 1 ? undefined : caller.weight }
}

interface NewTask {
  id: string
  inputs: Content
}

async function newTasks(options: RunsOptions, { tasks, seed }: TaskSubmission): Promise<NewTask[]> {
  const stored: NewTask[] = []
  for (let from = 0; from < tasks.length; from += TASKS_AT_ONCE) {
    const portion = tasks.slice(from, from + TASKS_AT_ONCE).map(async (task, index) => {
      // Index 0 of the seed is the id of the batch.
      const id = idFromSeed(seed, from + index + 1)
      return { id, inputs: await storedInputs(options, id, task) }
    })
    stored.push(...(await Promise.all(portion)))
    // Small inputs are ready in the same turn of the event loop; this lets other requests run between two portions.
    await nextTurn()
  }
  return stored
}

/** Generates the documents one by one while they are stored: 100,000 at once would fill most of the process's memory. */
function* taskDocuments(tasks: NewTask[], submission: TaskSubmission, batch: NewBatch): Generator<ExecutionDocument> {
  const { task_budget: budget } = submission
  const { name } = submission.agent
  const { at, submitted_by, weight } = batch
  for (const { id: _id, inputs } of tasks) {
    yield {
      _id,
      kind: 'task',
      agents: [{ name }],
      mode: 'single',
      prompt_name: name,
      submitted_by,
      weight,
      budget,
      ...freshState(inputs, at, submission),
    }
  }
}

function storedInputs({ contents }: RunsOptions, id: string, inputs: unknown): Promise<Content> {
  return contents.put(`inputs/${id}.json`, inputs)
}

/** The initial fields of every execution; options that are not set are not stored. */
function freshState(inputs: Content, at: Date, { no_cache }: Pick<Submission, 'no_cache'>) {
  const asked = { no_cache: no_cache ? true : undefined }
  const state = { status: 'running', inputs, outputs: null, error: null, ...asked } as const
  return { ...state, created_at: at, completed_at: null, usage: {} }
}

/** Rejects a batch id that an execution has, because executions and batches share the space of workflow ids. */
async function refuseExecutionId({ store }: RunsOptions, batchId: string): Promise<void> {
  if ((await store.executions.findOne({ _id: batchId }, { projection: { _id: 1 } })) !== null) {
    throw new TroupeError('bad_request', `batch_id "${batchId}" is the id of an execution; choose another id.`)
  }
}

async function ping(temporal: Client): Promise<boolean> {
  const ask = () => (temporal.connection as Connection).workflowService.getSystemInfo({})
  return temporal.withDeadline(Date.now() + PING_TIMEOUT_MS, ask).then(
    () => true,
    () => false,
  )
}
