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
  /** Executions that may be unfinished. */
  maxBacklog: number
}

/** A server that is only busy answers within this time; one that is away is known at once. */
const PING_TIMEOUT_MS = 5_000
/** An answer to a cancel of a batch waits so long for its workflow and its tasks. */
const STOPPED_WITHIN_MS = 8_000
/** Inputs that are made ready for the store at the same time; large ones go to the object store. */
const TASKS_AT_ONCE = 200

/** What the functions below work with. */
type Parts = RunsOptions & { submissions: Submissions; gate: TemporalGate; backlog: Backlog }

/** Creates what starts, cancels and awaits workflows. */
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
    // What runs already cannot be taken back, and is accepted.
    // So is what an earlier try under the same seed has begun: it is not this one's to take back.
    const withdrawn = execution === fresh && (await submissions.withdraw(execution._id).catch(unsure))
    if (withdrawn) {
      const sentence = 'Temporal cannot be reached: nothing was started. Try again.'
      throw new TroupeError('unavailable', sentence, { cause: error })
    }
  }
  const { _id: job_id, kind, prompt_name: agent } = execution
  log.info({ job_id, kind, agent }, 'execution submitted')
  return execution
}

/**
 * What a submission comes to when the database does not say what became of it.
 * @throws TroupeError unavailable; what else it was
 */
function unsure(error: unknown): never {
  if (!isTransient(error)) throw error
  const sentence =
    'The database does not answer: it may have started. Try again; under one Idempotency-Key nothing starts twice.'
  throw new TroupeError('unavailable', sentence, { cause: error })
}

async function addTasks(parts: Parts, submission: TaskSubmission): Promise<AddedTasks> {
  const { temporal, gate, submissions, backlog, log } = parts
  const { batch_id, seed, agent, mustExist } = submission
  const id = batch_id ?? idFromSeed(seed, 0)
  // Before anything is counted or stored for it.
  if (mustExist) takingBatch(await parts.store.batches.findOne({ _id: id }, { projection: { status: 1 } }), id)
  await checkTasks(agent, submission.tasks)
  if (batch_id !== undefined && !mustExist) await refuseExecutionId(parts, batch_id)
  // Asked before anything is stored: what was stored is accepted, and runs.
  if (!(await ping(temporal))) {
    throw new TroupeError('unavailable', 'Temporal cannot be reached: nothing was stored. Try again.')
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
      log.warn({ batch_id: id, err: error }, 'Temporal does not answer; the reconciler wakes the batch')
    })
  log.info({ batch_id: id, agent: agent.name, tasks: tasks.length }, 'tasks submitted')
  const { task_count: total, agent_name } = stored
  return { batch_id: id, agent_name, ids: tasks.map(({ id }) => id), total }
}

async function cancel(parts: Parts, id: string): Promise<{ ok: boolean; status: ExecutionDocument['status'] }> {
  const execution = await findExecution(parts.store, id)
  if (execution.status === 'running') {
    const isOwn = await hasWorkflow(parts.store, execution)
    await cancelExecutions(parts, [{ ...execution, started: execution.started_at !== undefined }])
    if (isOwn) await atTemporal(parts, id, () => cancelWorkflow(parts, id))
  }
  const { status } = await findExecution(parts.store, id)
  return { ok: status === 'canceled', status }
}

async function cancelBatch(parts: Parts, id: string): Promise<{ ok: boolean; status: string }> {
  const { store } = parts
  // Also once more: a process may have died before it had stopped the tasks.
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

/** The batch is canceled, and so will be all of its tasks, whoever gets to them. */
function logLate({ log }: Parts, id: string, stopped: Promise<void>): void {
  log.info({ batch_id: id }, 'a batch is canceled; its workflow and its tasks are being stopped')
  stopped.catch((error: unknown) => {
    log.warn({ batch_id: id, err: error }, 'tasks of a canceled batch are left; the reconciler cancels them')
  })
}

/**
 * A canceled batch of which nothing runs has ended, also while no worker is alive that could say so. Its workflow goes first:
 * one that still waited for a worker would stop a later batch of the same id.
 */
async function endBatchAtRest(parts: Parts, id: string): Promise<void> {
  const { batches, open } = parts.store
  if ((await open.findOne({ batch_id: id })) !== null || (await batches.findOne({ _id: id, ...ALL_COUNTED })) === null)
    return
  const reason = 'It was canceled, and nothing of it ran.'
  const isMeant = () => isCanceledBatch(parts.store, id)
  if (!(await atTemporal(parts, id, () => terminateWorkflow(parts, id, reason, isMeant)))) return
  const stopped = { _id: id, status: 'canceled' as const, completed_at: null, ...ALL_COUNTED }
  await batches.updateOne(stopped, { $set: { completed_at: new Date() } })
}

/** Whether Temporal took a cancel; one that it could not take now is repeated by the reconciler. */
async function atTemporal({ gate, log }: Parts, id: string, stop: () => Promise<void>): Promise<boolean> {
  try {
    await gate.pass(stop)
    return true
  } catch (error) {
    log.warn({ id, err: error }, 'Temporal did not take a cancel; the reconciler repeats it')
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

/** Whose share of the service a submission takes; an ordinary weight is not stored. */
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
      // Index 0 of the seed is the batch's own id.
      const id = idFromSeed(seed, from + index + 1)
      return { id, inputs: await storedInputs(options, id, task) }
    })
    stored.push(...(await Promise.all(portion)))
    // Small inputs are ready in the same turn of the event loop: others get theirs between two portions.
    await nextTurn()
  }
  return stored
}

/** Made one by one as they are stored: 100,000 documents at once would be most of the process's memory. */
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

/** The fields that every execution begins with; what is not asked for is not stored. */
function freshState(inputs: Content, at: Date, { no_cache }: Pick<Submission, 'no_cache'>) {
  const asked = { no_cache: no_cache ? true : undefined }
  const state = { status: 'running', inputs, outputs: null, error: null, ...asked } as const
  return { ...state, created_at: at, completed_at: null, usage: {} }
}

/** Executions and batches share Temporal's workflow ids: a batch may not take an execution's. */
async function refuseExecutionId({ store }: RunsOptions, batchId: string): Promise<void> {
  if ((await store.executions.findOne({ _id: batchId }, { projection: { _id: 1 } })) !== null) {
    throw new TroupeError('bad_request', `batch_id "${batchId}" is the id of an execution: choose another.`)
  }
}

async function ping(temporal: Client): Promise<boolean> {
  const ask = () => (temporal.connection as Connection).workflowService.getSystemInfo({})
  return temporal.withDeadline(Date.now() + PING_TIMEOUT_MS, ask).then(
    () => true,
    () => false,
  )
}
