import type { AnyBulkWriteOperation } from 'mongodb'
import type { BatchDocument, ExecutionDocument, StepDocument, TraceDocument } from './documents.ts'
import { fieldName, stepKey, type EventDraft, type LedgerEntry } from './ledger-entry.ts'

type Numbers = Record<string, number>

/** Everything a group of entries writes beside its trace events, as pure data. */
export interface GroupWrites {
  steps: StepDocument[]
  executions: AnyBulkWriteOperation<ExecutionDocument>[]
  batches: AnyBulkWriteOperation<BatchDocument>[]
}

/**
 * Gives every event its id, counting on from `lastId`, and makes the documents.
 * Parents are resolved in the same pass: an entry's parent always comes before it.
 */
export function traceDocuments(entries: LedgerEntry[], lastId: number): TraceDocument[] {
  let id = lastId
  return entries.flatMap((entry) =>
    entry.events.map((event): TraceDocument => {
      id += 1
      if (event.reference !== undefined) event.reference.id = id
      return {
        _id: id,
        job_id: entry.jobId,
        ...(entry.batchId === undefined ? {} : { batch_id: entry.batchId }),
        agent_name: event.agent,
        event_type: event.type,
        parent_id: parentOf(event),
        payload: event.payload,
        timestamp: event.at,
      }
    }),
  )
}

function parentOf({ parent }: EventDraft): number | null {
  return typeof parent === 'object' && parent !== null ? parent.id : parent
}

/** The documents and updates of a group whose events begin after `lastId`. */
export function groupWrites(entries: LedgerEntry[], lastId: number): GroupWrites {
  const keys = new Set(entries.map((entry) => stepKey(entry.jobId, entry.path)))
  const ids = firstIds(entries, lastId)
  const at = new Date()
  const steps = entries.flatMap((entry, index): StepDocument[] => {
    if (entry.until !== undefined && keys.has(stepKey(entry.jobId, entry.until))) return []
    const id = ids[index]
    const first = id === undefined ? {} : { trace_id: id }
    return [{ _id: stepKey(entry.jobId, entry.path), job_id: entry.jobId, result: entry.result ?? null, ...first, at }]
  })
  return { steps, executions: executionUpdates(entries, lastId), batches: batchUpdates(entries) }
}

/** Id of each entry's first event; undefined for an entry without events. */
export function firstIds(entries: LedgerEntry[], lastId: number): (number | undefined)[] {
  let next = lastId + 1
  return entries.map(({ events }) => {
    const first = events.length > 0 ? next : undefined
    next += events.length
    return first
  })
}

function executionUpdates(entries: LedgerEntry[], lastId: number): AnyBulkWriteOperation<ExecutionDocument>[] {
  const byJob = new Map<string, JobUpdate>()
  let id = lastId
  for (const entry of entries) {
    const update: JobUpdate = byJob.get(entry.jobId) ?? { set: {}, inc: {}, max: {}, filter: {} }
    byJob.set(entry.jobId, update)
    id += entry.events.length
    if (entry.events.length > 0) update.max.last_trace_id = id
    if (entry.startedAt !== undefined) {
      update.set.started_at = entry.startedAt
      update.filter = { status: 'running' }
    }
    if (entry.stoppedUnlessStartedAt !== undefined) update.unlessStarted = entry.stoppedUnlessStartedAt
    if (entry.usage !== undefined) addUsage(update, entry.usage)
    if (entry.stoppedAt !== undefined) update.set.completed_at = entry.stoppedAt
    if (entry.finish !== undefined) {
      const { status, outputs, error, at } = entry.finish
      Object.assign(update.set, { status, outputs, error })
      if (status !== 'canceled') update.set.completed_at = at
    }
  }
  return [...byJob].flatMap(([jobId, { set, inc, max, filter, unlessStarted }]) => {
    const update = { ...some('$set', set), ...some('$inc', inc), ...some('$max', max) }
    const writes = Object.keys(update).length === 0 ? [] : [{ filter: { _id: jobId, ...filter }, update }]
    const stops =
      unlessStarted === undefined ? [] : [{ filter: { _id: jobId }, update: stopUnlessStarted(unlessStarted) }]
    return [...writes, ...stops].map((updateOne) => ({ updateOne }))
  })
}

/** What a group writes to one execution. */
interface JobUpdate {
  set: Record<string, unknown>
  inc: Numbers
  max: Numbers
  /** What must hold beside the id: an execution that was canceled does not start any more. */
  filter: { status?: 'running' }
  unlessStarted?: Date
}

function stopUnlessStarted(at: Date) {
  const started = { $ne: [{ $type: '$started_at' }, 'missing'] }
  return [{ $set: { completed_at: { $cond: [started, '$completed_at', at] } } }]
}

function addUsage(update: Pick<JobUpdate, 'set' | 'inc'>, usage: NonNullable<LedgerEntry['usage']>): void {
  const field = `usage.${fieldName(`${usage.provider}/${usage.model}`)}`
  update.set[`${field}.provider`] = usage.provider
  update.set[`${field}.model`] = usage.model
  add(update.inc, `${field}.prompt_tokens`, usage.prompt_tokens)
  add(update.inc, `${field}.completion_tokens`, usage.completion_tokens)
  add(update.inc, `${field}.total_tokens`, usage.total_tokens)
  add(update.inc, `${field}.calls`, usage.calls)
}

/** Adds up what ended per batch; the last end of a batch closes it in the same moment. */
function batchUpdates(entries: LedgerEntry[]): AnyBulkWriteOperation<BatchDocument>[] {
  const byBatch = new Map<string, { succeeded: number; failed: number; at: Date }>()
  for (const { batchId, finish } of entries) {
    if (batchId === undefined || finish === undefined) continue
    const sum = byBatch.get(batchId) ?? { succeeded: 0, failed: 0, at: finish.at }
    byBatch.set(batchId, sum)
    sum[finish.status === 'completed' ? 'succeeded' : 'failed'] += 1
    sum.at = finish.at
  }
  return [...byBatch].map(([batchId, { succeeded, failed, at }]) => ({
    updateOne: {
      filter: { _id: batchId },
      update: [
        { $set: { succeeded: { $add: ['$succeeded', succeeded] }, failed: { $add: ['$failed', failed] } } },
        { $set: { ended: { $eq: [{ $add: ['$succeeded', '$failed'] }, '$task_count'] } } },
        {
          $set: {
            status: {
              $cond: [{ $eq: ['$status', 'canceled'] }, 'canceled', { $cond: ['$ended', 'completed', 'running'] }],
            },
            // A canceled batch ends when its tasks have stopped, which is later: recordBatchStopped says so.
            completed_at: {
              $cond: [{ $and: ['$ended', { $ne: ['$status', 'canceled'] }] }, at, '$completed_at'],
            },
          },
        },
        { $unset: 'ended' },
      ],
    },
  }))
}

/**
 * What a group adds to the counters document: totals and per-agent counts.
 * @param kept - whether its trace events are kept; they are counted by what they say all the same.
 */
export function counterUpdate(entries: LedgerEntry[], kept: boolean): { $inc: Numbers; $max: Record<string, Date> } {
  const $inc: Numbers = { last_trace_id: 0 }
  const $max: Record<string, Date> = {}
  for (const { events, usage, finish } of entries) {
    for (const event of events) {
      const agent = `agents.${fieldName(event.agent)}`
      if (kept) {
        add($inc, 'last_trace_id', 1)
        add($inc, `${agent}.trace_count`, 1)
      }
      if (event.type === 'tool_call') add($inc, 'tool_calls', 1)
      if (event.type === 'cache_hit') add($inc, 'cache_hits', 1)
      if (event.type === 'task_start') {
        add($inc, `${agent}.executions`, 1)
        $max[`${agent}.last_executed`] = event.at
      }
    }
    if (usage !== undefined) add($inc, 'total_tokens', usage.total_tokens)
    if (finish?.status === 'completed') {
      add($inc, 'completed_jobs', 1)
      add($inc, 'latency_ms_total', finish.latencyMs)
    }
    if (finish?.status === 'failed') add($inc, 'failed_jobs', 1)
  }
  return { $inc, $max }
}

function add(numbers: Numbers, field: string, amount: number): void {
  numbers[field] = (numbers[field] ?? 0) + amount
}

function some(operator: string, fields: object): Record<string, object> {
  return Object.keys(fields).length === 0 ? {} : { [operator]: fields }
}
