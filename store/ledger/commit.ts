import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession } from 'mongodb'
import { codeOf, messageOf } from '../../core/errors.ts'
import { stepKey } from '../../core/step-path.ts'
import { mayWrite, type WriteState } from '../../core/transitions.ts'
import type { Log } from '../../log.ts'
import { budgetsOf, giveBack, settle } from '../spending/budgets.ts'
import type { Store } from '../mongodb/connect.ts'
import type { ExecutionDocument } from '../documents.ts'
import { fieldName } from '../mongodb/field-name.ts'
import type { AppendResult, LedgerEntry } from './entry.ts'
import { counterUpdate, entryCounts, groupWrites, lastIds, traceDocuments } from './writes.ts'
import { changeOpen, openChanges } from './open-changes.ts'
import { newestTraceId } from './newest-trace-id.ts'
import { rootStarts } from './root-starts.ts'
import { count } from './series.ts'
import { transact } from '../mongodb/transact.ts'
import { isTransient } from '../mongodb/transient.ts'
import { isDuplicateKey } from '../mongodb/duplicate-key.ts'

export interface LedgerOptions {
  store: Store
  log: Log
  /** False with TRACING=disabled: events are counted but not stored. */
  tracing: boolean
  /**
   * How long MongoDB may be unavailable before an append fails. Infinity in a worker, where a paid response waits as
   * long as necessary; short in the API, whose clients wait for a response.
   */
  timeoutMs: number
  /** Called after every committed group with its entries and the duration. */
  onCommit?: (entries: readonly LedgerEntry[], seconds: number) => void
}

/** The outcome of an entry. */
export type Outcome = AppendResult | { failure: unknown }

const RETRY_MS = 500
/** Code of the error that aborts a transaction if a document to update was not found. */
const STALE = 'stale_entries'

/** Commits groups of ledger entries, each in one transaction, and isolates entries that cannot be written. */
export class LedgerCommit {
  readonly #options: LedgerOptions

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  /**
   * Commits a group.
   * @param retries - number of further tries of a single entry that fails for an unknown reason.
   * @returns one outcome per entry, in order.
   * @throws MongoDB's error if it is unavailable for longer than the timeout while failing entries are isolated.
   */
  async commit(entries: LedgerEntry[], retries = 2): Promise<Outcome[]> {
    const { onCommit } = this.#options
    const startedAt = performance.now()
    try {
      const written = await this.#retryWhileAway(() => this.#attempt(entries), entries.length)
      onCommit?.(entries, (performance.now() - startedAt) / 1_000)
      return written
    } catch (error) {
      if (isDuplicateKey(error)) return await this.#commitWithoutRecorded(entries)
      if (codeOf(error) === STALE) return await this.#commitWithoutStale(entries, retries)
      if (isTransient(error)) return entries.map(() => ({ failure: error }))
      if (entries.length > 1) return await this.#commitHalves(entries)
      if (retries === 0) return [{ failure: error }]
      // The error may be temporary, and a paid response must not be lost because of it.
      await sleep(RETRY_MS)
      return await this.commit(entries, retries - 1)
    }
  }

  /** Repeats the work while MongoDB is unavailable, until the timeout. */
  async #retryWhileAway<Result>(work: () => Promise<Result>, waiting: number): Promise<Result> {
    const { log, timeoutMs } = this.#options
    const deadline = Date.now() + timeoutMs
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isTransient(error) || Date.now() > deadline) throw error
        log.warn({ error: messageOf(error), waiting }, 'MongoDB does not accept writes; trying again')
        await sleep(RETRY_MS)
      }
    }
  }

  /**
   * Handles a group with steps that were recorded before: their outcomes come from the records, the other entries are
   * written.
   */
  async #commitWithoutRecorded(entries: LedgerEntry[]): Promise<Outcome[]> {
    const { store } = this.#options
    const read = () => recordedSteps(store, entries)
    const known = await this.#retryWhileAway(read, entries.length)
    const seen = new Set<string>()
    const fresh = entries.filter(({ jobId, path }) => {
      if (path === undefined) return true
      const key = stepKey(jobId, path)
      const first = !known.has(key) && !seen.has(key)
      seen.add(key)
      return first
    })
    // No step was recorded, so the duplicate key is an event's id: the counter is behind the events, as after a
    // restore.
    if (fresh.length === entries.length) await this.#retryWhileAway(() => catchUpCounter(store), entries.length)
    tellReferences(entries, known)
    const outcomes = await this.#commitSome(entries, fresh)
    // Read again, because this group has recorded further steps.
    const recorded = await this.#retryWhileAway(read, entries.length)
    tellReferences(entries, recorded)
    return entries.map(({ jobId, path = '', writer }, index) => {
      const step = recorded.get(stepKey(jobId, path))
      // A repeated commit, whose first try was not confirmed, finds its own record.
      const inserted = writer !== undefined && step?.attempt === writer.attempt
      return outcomes[index] ?? { inserted, overtaken: false, traceId: step?.traceId }
    })
  }

  /**
   * Handles a group with executions that are deleted, at rest, or held by another attempt: their entries are dropped.
   */
  async #commitWithoutStale(entries: LedgerEntry[], retries: number): Promise<Outcome[]> {
    const { store } = this.#options
    const ids = [...new Set(entries.map(({ jobId }) => jobId))]
    const projection = { status: 1, completed_at: 1, takes: 1 } as const
    const read = () => store.executions.find({ _id: { $in: ids } }, { projection }).toArray()
    const found = await this.#retryWhileAway(read, entries.length)
    const fresh = writable(entries, new Map(found.map((execution) => [execution._id, execution])))
    if (fresh.length === entries.length) {
      // Each entry may be writable alone: another write came in between, or the entries conflict with each other.
      if (entries.length > 1) return await this.#commitHalves(entries)
      if (retries === 0) return [{ inserted: false, overtaken: true, traceId: undefined }]
      await sleep(RETRY_MS)
      return await this.commit(entries, retries - 1)
    }
    const outcomes = await this.#commitSome(entries, fresh)
    return outcomes.map((outcome) => outcome ?? { inserted: false, overtaken: true, traceId: undefined })
  }

  /** One entry can never be written; the others must not fail with it. */
  async #commitHalves(entries: LedgerEntry[]): Promise<Outcome[]> {
    const middle = Math.ceil(entries.length / 2)
    return [...(await this.commit(entries.slice(0, middle))), ...(await this.commit(entries.slice(middle)))]
  }

  async #commitSome(entries: LedgerEntry[], some: LedgerEntry[]): Promise<(Outcome | undefined)[]> {
    const outcomes = some.length === 0 ? [] : await this.commit(some)
    const byEntry = new Map(some.map((entry, index) => [entry, outcomes[index]]))
    return entries.map((entry) => byEntry.get(entry))
  }

  #attempt(entries: LedgerEntry[]): Promise<Outcome[]> {
    const { store, tracing } = this.#options
    return transact(store, (session) => writeGroup(store, session, entries, tracing), {
      readConcern: { level: 'local' },
      writeConcern: { w: 'majority', journal: true },
    })
  }
}

async function catchUpCounter(store: Store): Promise<void> {
  await store.counters.updateOne({ _id: 'ledger' }, { $max: { last_trace_id: await newestTraceId(store) } })
}

/**
 * The counter goes first: its lock is held until the commit, so that the order of commits is the order of ids. A step
 * that was recorded before aborts the transaction with a duplicate key.
 */
async function writeGroup(
  store: Store,
  session: ClientSession,
  entries: LedgerEntry[],
  tracing: boolean,
): Promise<AppendResult[]> {
  const kept = tracing ? entries : entries.map((entry) => ({ ...entry, events: [] }))
  const totals = counterUpdate(entries, tracing)
  const counting = { totals, minute: entryCounts(entries) }
  const lastId = (await count(store, session, 'ledger', counting)) - (totals.$inc.last_trace_id ?? 0)
  // Written early, because the transaction would otherwise have to wait for concurrent reservations.
  const settlements = entries.flatMap(({ settlements = [] }) => settlements)
  const rests = entries.flatMap(({ rest }) => rest ?? [])
  const budgets = [...settlements.map(settle), ...(rests.length > 0 ? [giveBack(rests)] : [])]
  if (budgets.length > 0) await budgetsOf(store).bulkWrite(budgets, { session })
  const traces = traceDocuments(kept, lastId, await rootStarts(store, session, kept))
  const { steps, executions, batches } = groupWrites(kept, lastId)
  if (steps.length > 0) await store.steps.insertMany(steps, { session })
  if (traces.length > 0) await store.traces.insertMany(traces, { session })
  if (executions.length > 0) {
    const { matchedCount } = await store.executions.bulkWrite(executions, { session })
    if (matchedCount < executions.length)
      throw Object.assign(new Error('An execution is not as it was.'), { code: STALE })
  }
  await changeOpen(store, session, openChanges(kept))
  if (batches.length > 0) await store.batches.bulkWrite(batches, { session, ordered: false })
  return lastIds(kept, lastId).map((traceId) => ({ inserted: true, overtaken: false, traceId }))
}

/** The writable entries in order. A change of one entry counts for the entries after it. */
function writable(
  entries: LedgerEntry[],
  executions: Map<string, Pick<ExecutionDocument, 'status' | 'completed_at' | 'takes'>>,
): LedgerEntry[] {
  const takenBy = new Map<string, string>()
  return entries.filter(({ jobId, writer, take, finish }) => {
    const execution = executions.get(jobId)
    if (execution === undefined) return false
    const key = `${jobId}|${writer?.path}`
    const attempt = takenBy.get(key) ?? execution.takes?.[fieldName(writer?.path ?? '')]?.attempt
    const state: WriteState = { status: execution.status, atRest: execution.completed_at !== null, attempt }
    const may = mayWrite(state, { attempt: writer?.attempt, takesFrom: take?.from, ends: finish?.status })
    if (may && take !== undefined && writer !== undefined) takenBy.set(key, writer.attempt)
    return may
  })
}

/** The fields of a recorded step that a repeated entry needs. */
interface RecordedStep {
  /** Id of the step's last event. */
  traceId: number | undefined
  attempt: string | undefined
}

/** The recorded steps of the entries, by key. */
async function recordedSteps(store: Store, entries: LedgerEntry[]): Promise<Map<string, RecordedStep>> {
  const keys = entries.flatMap(({ jobId, path }) => (path === undefined ? [] : [stepKey(jobId, path)]))
  const found = await store.steps.find({ _id: { $in: keys } }, { projection: { trace_id: 1, attempt: 1 } }).toArray()
  return new Map(found.map(({ _id, trace_id: traceId, attempt }) => [_id, { traceId, attempt }]))
}

/** Fills the references of steps recorded before, so that their children refer to the recorded events. */
function tellReferences(entries: LedgerEntry[], recorded: Map<string, RecordedStep>): void {
  for (const { jobId, path = '', events } of entries) {
    const traceId = recorded.get(stepKey(jobId, path))?.traceId
    const reference = events.at(-1)?.reference
    if (traceId !== undefined && reference !== undefined) reference.id = traceId
  }
}
