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
import { count } from './series.ts'
import { transact } from '../mongodb/transact.ts'
import { isTransient } from '../mongodb/transient.ts'
import { isDuplicateKey } from '../mongodb/duplicate-key.ts'

export interface LedgerOptions {
  store: Store
  log: Log
  /** False with TRACING=disabled: events are counted but not kept. */
  tracing: boolean
  /**
   * How long MongoDB may be away before an append fails. Infinity in a worker, where an answer that was paid for waits as
   * long as it takes; short in the API, whose clients want to know.
   */
  timeoutMs: number
  /** Told of every group that was committed: its entries, and how long that took. */
  onCommit?: (entries: readonly LedgerEntry[], seconds: number) => void
}

/** What became of an entry. */
export type Outcome = AppendResult | { failure: unknown }

const RETRY_MS = 500
/** Code of the error that ends a transaction which did not find what it was to update. */
const STALE = 'stale_entries'

/** Commits groups of ledger entries, each in one transaction, and sorts out what could not be written as it came. */
export class LedgerCommit {
  readonly #options: LedgerOptions

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  /**
   * Commits a group.
   * @param retries - how often a lone entry is tried again that fails for a reason nobody knows.
   * @returns one outcome per entry, in order
   * @throws what MongoDB says that is away for longer than the timeout, while entries are being sorted out
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
      // It may have been an error of the moment, and what was paid for is not given up for one.
      await sleep(RETRY_MS)
      return await this.commit(entries, retries - 1)
    }
  }

  /** Does it again and again while MongoDB is away, until the timeout. */
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

  /** Some steps of the group were recorded before: they are answered from their records, the others written. */
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
    // Nothing was recorded: the duplicate is an event's id. The counter is behind the events, as after a restore.
    if (fresh.length === entries.length) await this.#retryWhileAway(() => catchUpCounter(store), entries.length)
    tellReferences(entries, known)
    const outcomes = await this.#commitSome(entries, fresh)
    // Read again: some were recorded by this very group.
    const recorded = await this.#retryWhileAway(read, entries.length)
    tellReferences(entries, recorded)
    return entries.map(({ jobId, path = '', writer }, index) => {
      const step = recorded.get(stepKey(jobId, path))
      // A commit that was not confirmed, and is tried again, finds what it wrote itself.
      const inserted = writer !== undefined && step?.attempt === writer.attempt
      return outcomes[index] ?? { inserted, overtaken: false, traceId: step?.traceId }
    })
  }

  /** Executions of the group are gone, have come to rest, or are held by another attempt: their entries are dropped. */
  async #commitWithoutStale(entries: LedgerEntry[], retries: number): Promise<Outcome[]> {
    const { store } = this.#options
    const ids = [...new Set(entries.map(({ jobId }) => jobId))]
    const projection = { status: 1, completed_at: 1, takes: 1 } as const
    const read = () => store.executions.find({ _id: { $in: ids } }, { projection }).toArray()
    const found = await this.#retryWhileAway(read, entries.length)
    const fresh = writable(entries, new Map(found.map((execution) => [execution._id, execution])))
    if (fresh.length === entries.length) {
      // Each may be written by itself: either somebody else's write came in between, or they stand in each other's way.
      if (entries.length > 1) return await this.#commitHalves(entries)
      if (retries === 0) return [{ inserted: false, overtaken: true, traceId: undefined }]
      await sleep(RETRY_MS)
      return await this.commit(entries, retries - 1)
    }
    const outcomes = await this.#commitSome(entries, fresh)
    return outcomes.map((outcome) => outcome ?? { inserted: false, overtaken: true, traceId: undefined })
  }

  /** One entry cannot be written whatever one does: the others must not suffer for it. */
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
 * that was recorded before ends the transaction with a duplicate key.
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
  // As early as can be: who reserves at this moment would have to be waited for.
  const settlements = entries.flatMap(({ settlements = [] }) => settlements)
  const rests = entries.flatMap(({ rest }) => rest ?? [])
  const budgets = [...settlements.map(settle), ...(rests.length > 0 ? [giveBack(rests)] : [])]
  if (budgets.length > 0) await budgetsOf(store).bulkWrite(budgets, { session })
  const traces = traceDocuments(kept, lastId)
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

/** The entries that may be written, in their order: what one of them changes holds for those after it. */
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

/** A recorded step, as far as those that come with it again need to know it. */
interface RecordedStep {
  /** Id of its last event. */
  traceId: number | undefined
  attempt: string | undefined
}

/** The entries' steps that are recorded, by their keys. */
async function recordedSteps(store: Store, entries: LedgerEntry[]): Promise<Map<string, RecordedStep>> {
  const keys = entries.flatMap(({ jobId, path }) => (path === undefined ? [] : [stepKey(jobId, path)]))
  const found = await store.steps.find({ _id: { $in: keys } }, { projection: { trace_id: 1, attempt: 1 } }).toArray()
  return new Map(found.map(({ _id, trace_id: traceId, attempt }) => [_id, { traceId, attempt }]))
}

/** Children of a step that was recorded before point to the event that it wrote then. */
function tellReferences(entries: LedgerEntry[], recorded: Map<string, RecordedStep>): void {
  for (const { jobId, path = '', events } of entries) {
    const traceId = recorded.get(stepKey(jobId, path))?.traceId
    const reference = events.at(-1)?.reference
    if (traceId !== undefined && reference !== undefined) reference.id = traceId
  }
}
