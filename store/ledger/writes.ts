import type { AnyBulkWriteOperation } from 'mongodb'
import type { ModelSpending } from '../../core/cost.ts'
import { latencyBucket } from '../../core/latency-histogram.ts'
import { stepKey } from '../../core/step-path.ts'
import type { BatchDocument, ExecutionDocument, StepDocument, TraceDocument } from '../documents.ts'
import { fieldName } from '../mongodb/field-name.ts'
import type { LedgerEntry, TakeChange, TraceReference } from './entry.ts'
import type { Writer } from '../../core/transitions.ts'
import type { Counts } from './series.ts'

type Numbers = Record<string, number>

/** All writes of a group of entries except trace events, as plain data. */
export interface GroupWrites {
  steps: StepDocument[]
  executions: AnyBulkWriteOperation<ExecutionDocument>[]
  batches: AnyBulkWriteOperation<BatchDocument>[]
}

/**
 * Assigns ids to all events after `lastId` and creates their documents. The same pass resolves parents, because a
 * parent always comes before its children.
 * @param recorded - ids of the latest root task_start before these entries, by execution.
 */
export function traceDocuments(
  entries: LedgerEntry[],
  lastId: number,
  recorded: ReadonlyMap<string, number> = new Map(),
): TraceDocument[] {
  let id = lastId
  const starts = new Map(recorded)
  const documents = entries.flatMap((entry) =>
    entry.events.map((event): TraceDocument => {
      id += 1
      if (event.reference !== undefined) event.reference.id = id
      const parent = event.parent === 'root' ? (starts.get(entry.jobId) ?? null) : parentOf(event.parent)
      if (event.type === 'task_start' && parent === null) starts.set(entry.jobId, id)
      return {
        _id: id,
        job_id: entry.jobId,
        ...(entry.batchId === undefined ? {} : { batch_id: entry.batchId }),
        agent_name: event.agent,
        event_type: event.type,
        parent_id: parent,
        payload: event.payload,
        timestamp: event.at,
      }
    }),
  )
  for (const document of new Map(documents.map((each) => [each.job_id, each])).values()) document.last = true
  return documents
}

function parentOf(parent: number | null | TraceReference): number | null {
  return typeof parent === 'object' && parent !== null ? parent.id : parent
}

/** The documents and updates of a group whose events begin after `lastId`. */
export function groupWrites(entries: LedgerEntry[], lastId: number): GroupWrites {
  const ids = lastIds(entries, lastId)
  const at = new Date()
  const steps = entries.flatMap(({ jobId, path, writer, result = null }, index): StepDocument[] => {
    if (path === undefined) return []
    return [{ _id: stepKey(jobId, path), job_id: jobId, result, trace_id: ids[index], attempt: writer?.attempt, at }]
  })
  return {
    steps,
    executions: executionUpdates(entries, ids),
    batches: [...batchUsage(entries), ...batchUpdates(entries)],
  }
}

/** Id of each entry's last event; undefined for an entry without events. */
export function lastIds(entries: LedgerEntry[], lastId: number): (number | undefined)[] {
  let id = lastId
  return entries.map(({ events }) => {
    id += events.length
    return events.length > 0 ? id : undefined
  })
}

function executionUpdates(
  entries: LedgerEntry[],
  ids: (number | undefined)[],
): AnyBulkWriteOperation<ExecutionDocument>[] {
  const updates = new Map<string, ExecutionUpdate>()
  for (const [index, entry] of entries.entries()) {
    const { jobId, writer } = entry
    const key = JSON.stringify([jobId, writer?.path, writer?.attempt])
    const update = updates.get(key) ?? new ExecutionUpdate(jobId, writer)
    updates.set(key, update)
    update.add(entry, ids[index])
  }
  // Writes of an attempt come first, because they require the state before another entry of the group brings the
  // execution to rest.
  const ordered = [...updates.values()].sort((one, other) => Number(other.isOfAttempt) - Number(one.isOfAttempt))
  return ordered.flatMap((update) => update.operations()).map((updateOne) => ({ updateOne }))
}

/** The writes of a group to one execution for one writer. */
class ExecutionUpdate {
  readonly #id: string
  readonly #set: Record<string, unknown> = {}
  readonly #inc: Numbers = {}
  readonly #max: Numbers = {}
  readonly #min: { started_at?: Date } = {}
  /** Conditions beside the id. */
  #filter: Record<string, unknown>
  readonly #writer: Writer | undefined
  #completedAtIfNotStarted: Date | undefined

  constructor(id: string, writer: Writer | undefined) {
    this.#id = id
    this.#writer = writer
    this.#filter = {}
    if (writer === undefined) return
    const held = `${takeField(writer)}.attempt`
    this.#filter = { [held]: writer.attempt, completed_at: null }
    // Changes nothing, but makes records without event or usage depend on the take as well.
    this.#set[held] = writer.attempt
  }

  get isOfAttempt(): boolean {
    return this.#writer !== undefined
  }

  /**
   * Adds the changes of an entry.
   * @param traceId - id of the entry's last event.
   */
  add(entry: LedgerEntry, traceId: number | undefined): void {
    const { take, releases, acquits, startedAt, usage, stoppedAt, finish } = entry
    if (traceId !== undefined) this.#max.last_trace_id = traceId
    if (take !== undefined) this.#take(take, startedAt, traceId)
    if (releases === true) this.#release()
    if (acquits === true) add(this.#inc, `${takeField(this.#writer as Writer)}.acquitted`, 1)
    if (startedAt !== undefined && this.#min.started_at === undefined) this.#min.started_at = startedAt
    this.#completedAtIfNotStarted ??= entry.completedAtIfNotStarted
    if (usage !== undefined) addUsage(this.#set, this.#inc, usage)
    if (entry.settlements !== undefined) this.#set.budgeted = true
    if (stoppedAt !== undefined) this.#set.completed_at = stoppedAt
    if (finish !== undefined) {
      const { status, outputs, error, at } = finish
      Object.assign(this.#set, { status, outputs, error })
      if (status !== 'completed') this.#set.trouble = status
      if (status !== 'canceled') this.#set.completed_at = at
    }
  }

  operations() {
    const update = {
      ...some('$set', this.#set),
      ...some('$inc', this.#inc),
      ...some('$max', this.#max),
      ...some('$min', this.#min),
    }
    const filter = { _id: this.#id, ...this.#filter }
    const writes = Object.keys(update).length === 0 ? [] : [{ filter, update }]
    const at = this.#completedAtIfNotStarted
    return at === undefined ? writes : [...writes, { filter: { _id: this.#id }, update: completeUnlessStarted(at) }]
  }

  /** The first entry of an attempt: all its writes in this group require the previous holder of the run. */
  #take({ from, take }: TakeChange, startedAt: Date | undefined, start: number | undefined): void {
    const { path, attempt } = this.#writer as Writer
    const field = takeField({ path })
    const seen = from === null ? { [field]: { $exists: false } } : { [`${field}.attempt`]: from }
    this.#filter = { ...seen, status: 'running' }
    delete this.#set[`${field}.attempt`]
    const begun = { started_at: startedAt, started_by: attempt, start: start ?? null }
    const fields = { ...take, attempt, ...(startedAt === undefined ? {} : begun) }
    if (from === null) this.#set[field] = fields
    else for (const [name, value] of Object.entries(fields)) this.#set[`${field}.${name}`] = value
  }

  #release(): void {
    const field = takeField(this.#writer as Writer)
    const fresh = this.#set[field] as { worker: string | null } | undefined
    if (fresh === undefined) this.#set[`${field}.worker`] = null
    else fresh.worker = null
  }
}

function takeField({ path }: { path: string }): string {
  return `takes.${fieldName(path)}`
}

function completeUnlessStarted(at: Date) {
  const started = { $ne: [{ $type: '$started_at' }, 'missing'] }
  return [{ $set: { completed_at: { $cond: [started, '$completed_at', at] } } }]
}

function addUsage(set: Record<string, unknown>, inc: Numbers, { provider, model, ...numbers }: ModelSpending): void {
  const field = `usage.${fieldName(`${provider}/${model}`)}`
  set[`${field}.provider`] = provider
  set[`${field}.model`] = model
  for (const [name, amount] of Object.entries(numbers)) add(inc, `${field}.${name}`, amount)
}

/** Sums the usage of the tasks of each batch. */
function batchUsage(entries: LedgerEntry[]): AnyBulkWriteOperation<BatchDocument>[] {
  const byBatch = new Map<string, { $set: Record<string, unknown>; $inc: Numbers }>()
  for (const { batchId, usage } of entries) {
    if (batchId === undefined || usage === undefined) continue
    const update = byBatch.get(batchId) ?? { $set: {}, $inc: {} }
    byBatch.set(batchId, update)
    addUsage(update.$set, update.$inc, usage)
  }
  return [...byBatch].map(([_id, update]) => ({ updateOne: { filter: { _id }, update } }))
}

/** Sums the ended tasks of each batch; the last end completes the batch in the same update. */
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
            // A canceled batch ends later, when its tasks are at rest; recordBatchStopped records that.
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
 * The additions of a group to the counters document: totals and counts per agent.
 * @param kept - whether trace events are stored; they are counted in either case.
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

/** The additions of entries to the minute of their commit. */
export function entryCounts(entries: Pick<LedgerEntry, 'events' | 'finish' | 'usage'>[]): Counts {
  const $inc: Numbers = {}
  const $set: Counts['$set'] = {}
  for (const { events, finish, usage } of entries) {
    for (const { agent, ended } of events) if (ended !== undefined) add($inc, `agents.${fieldName(agent)}.${ended}`, 1)
    if (finish !== undefined) add($inc, finish.status, 1)
    if (finish?.status === 'completed') add($inc, `latency.${latencyBucket(finish.latencyMs)}`, 1)
    if (usage !== undefined) addUsage($set, $inc, usage)
  }
  return { $inc, $set }
}

function add(numbers: Numbers, field: string, amount: number): void {
  numbers[field] = (numbers[field] ?? 0) + amount
}

function some(operator: string, fields: object): Record<string, object> {
  return Object.keys(fields).length === 0 ? {} : { [operator]: fields }
}
