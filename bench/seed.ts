import { randomUUID } from 'node:crypto'
import { connectStore, type Store } from '../store/mongodb/connect.ts'
import { ensureSchema } from '../store/schema.ts'
import type { ExecutionKind } from '../core/execution.ts'
import type { BatchDocument, CounterDocument, ExecutionDocument, TraceDocument } from '../store/documents.ts'
import { agentOf, eventsOf, execution, seedAgents, statusOf, type SeedEvent } from './seed-content.ts'

/** Number of executions per round. All rounds are alike, so the first page of each list does not depend on their number. */
const ROUND_EXECUTIONS = 5_000
const EVENTS_PER_EXECUTION = 10
/** Sizes of the 50 batches of a round, 2,000 tasks together; before each come 60 prompts, jobs and chats. */
const BATCH_SIZES = [
  ...[16, ...Array<number>(32).fill(12), 1_000],
  ...[20, 100, 20, 50, 20, 20, 50, 20, 20, 50, 20, 20, 100, 20, 50, 20],
]
const SINGLES: ExecutionKind[] = ['prompt', 'prompt', 'job', 'prompt', 'chat', 'prompt']
const SINGLES_BEFORE_BATCH = 60
/** Number of concurrent executions, whose events are interleaved. */
const AT_ONCE = 20
const EVENT_EVERY_MS = 50
const WRITE_AT_ONCE = 10_000

/** Counts of written documents. */
export interface Seeded {
  events: number
  executions: number
  batches: number
}

/**
 * Fills a database with ended executions like the service: documents, counters, agents.
 * @param events - number of trace events, a multiple of 50,000; each 50,000 belong to 5,000 executions, some of them in 50 batches.
 */
export async function seed(store: Store, events: number): Promise<Seeded> {
  const rounds = events / (ROUND_EXECUTIONS * EVENTS_PER_EXECUTION)
  if (!Number.isInteger(rounds)) throw new Error('The number of events must be a multiple of 50,000.')
  await ensureSchema(store)
  const seeding = new Seeding(store, Date.now() - events * EVENT_EVERY_MS)
  for (let round = 0; round < rounds; round += 1) {
    for (const size of BATCH_SIZES) {
      for (let index = 0; index < SINGLES_BEFORE_BATCH; index += 1) {
        await seeding.add(SINGLES[index % SINGLES.length] as ExecutionKind)
      }
      await seeding.addBatch(size)
    }
  }
  return seeding.finish()
}

/** Collects the writes of one database. */
class Seeding {
  readonly #store: Store
  readonly #start: number
  readonly #totals = { completed_jobs: 0, failed_jobs: 0, latency_ms_total: 0, tool_calls: 0, cache_hits: 0 }
  readonly #agents: Record<string, { trace_count: number; executions: number; last_executed: Date }> = {}
  #tokens = 0
  #lastId = 0
  #executions = 0
  #batches = 0
  #running: { document: ExecutionDocument; events: SeedEvent[] }[] = []
  #documents: ExecutionDocument[] = []
  #traces: TraceDocument[] = []

  constructor(store: Store, start: number) {
    this.#store = store
    this.#start = start
  }

  async add(kind: ExecutionKind, task: Partial<ExecutionDocument> = {}): Promise<void> {
    const index = this.#executions++
    const events = eventsOf(index)
    this.#running.push({ document: { ...execution(index, kind, this.#now(), events), ...task }, events })
    if (this.#running.length === AT_ONCE) this.#run()
    if (this.#traces.length >= WRITE_AT_ONCE) await this.#write()
  }

  async addBatch(size: number): Promise<void> {
    const at = this.#now()
    const from = this.#executions
    const batch_id = randomUUID()
    for (let batch_index = 0; batch_index < size; batch_index += 1) {
      await this.add('task', { batch_id, batch_index, created_at: at })
    }
    this.#run()
    const failed = Array.from({ length: size }, (_, index) => statusOf(from + index)).filter((end) => end === 'failed')
    const batch: BatchDocument = {
      ...{ _id: batch_id, agent_name: agentOf(from), status: 'completed', task_count: size },
      ...{ succeeded: size - failed.length, failed: failed.length, created_at: at, completed_at: this.#now() },
      portions: 1,
    }
    await this.#store.batches.insertOne(batch, { writeConcern: { w: 1 } })
    this.#batches += 1
  }

  async finish(): Promise<Seeded> {
    this.#run()
    await this.#write()
    const { counters, agents } = this.#store
    const ledger: Partial<CounterDocument> = {
      ...{ ...this.#totals, total_tokens: this.#tokens, last_trace_id: this.#lastId, agents: this.#agents },
    }
    await counters.updateOne({ _id: 'ledger' }, { $set: ledger }, { upsert: true })
    await counters.insertMany(
      Array.from({ length: 16 }, (_, slot) => ({ _id: `submitted-${slot}`, submitted: this.#executions / 16 })),
    )
    await agents.insertMany(seedAgents(new Date()))
    return { events: this.#lastId, executions: this.#executions, batches: this.#batches }
  }

  #now(): Date {
    return new Date(this.#start + this.#lastId * EVENT_EVERY_MS)
  }

  /** Writes the events of the collected executions, one of each in turn. */
  #run(): void {
    const roots = new Map<string, number>()
    const longest = Math.max(0, ...this.#running.map(({ events }) => events.length))
    for (let step = 0; step < longest; step += 1) {
      for (const { document, events } of this.#running) {
        const event = events[step]
        if (event !== undefined) this.#happen(document, event, roots)
      }
    }
    for (const { document } of this.#running) this.#end(document)
    this.#running = []
  }

  #happen(document: ExecutionDocument, event: SeedEvent, roots: Map<string, number>): void {
    const { _id: job_id, batch_id, prompt_name } = document
    const id = ++this.#lastId
    const parent_id = roots.get(job_id) ?? null
    if (parent_id === null) roots.set(job_id, id)
    const place = { job_id, ...(batch_id === undefined ? {} : { batch_id }), agent_name: prompt_name }
    const { type: event_type, payload, tokens } = event
    this.#traces.push({ _id: id, ...place, event_type, parent_id, payload, timestamp: this.#now(), last: true })
    Object.assign(document, { last_trace_id: id, completed_at: this.#now() })
    this.#tokens += tokens
    if (event_type === 'tool_call') this.#totals.tool_calls += 1
    if (event_type === 'cache_hit') this.#totals.cache_hits += 1
    const sums = (this.#agents[prompt_name] ??= { trace_count: 0, executions: 0, last_executed: this.#now() })
    sums.trace_count += 1
  }

  #end(document: ExecutionDocument): void {
    const { status, prompt_name, created_at, completed_at } = document
    this.#documents.push(document)
    const sums = this.#agents[prompt_name]
    if (sums !== undefined) Object.assign(sums, { executions: sums.executions + 1, last_executed: created_at })
    if (status === 'failed') {
      this.#totals.failed_jobs += 1
      document.trouble = status
    } else {
      this.#totals.completed_jobs += 1
      this.#totals.latency_ms_total += (completed_at?.getTime() ?? 0) - created_at.getTime()
    }
  }

  async #write(): Promise<void> {
    const options = { ordered: false, writeConcern: { w: 1 } }
    const [traces, documents] = [this.#traces, this.#documents]
    this.#traces = []
    this.#documents = []
    if (traces.length > 0) await this.#store.traces.insertMany(traces, options)
    if (documents.length > 0) await this.#store.executions.insertMany(documents, options)
  }
}

if (import.meta.main) {
  const [uri, database, events] = process.argv.slice(2)
  if (uri === undefined || database === undefined || events === undefined) {
    throw new Error('Usage: node bench/seed.ts <mongodb uri> <database> <events>')
  }
  const store = connectStore({ uri, database, appName: 'bench-seed' })
  console.log(await seed(store, Number(events)).finally(() => store.close()))
}
