import { randomUUID } from 'node:crypto'
import { storeExecutions } from '../build/store-executions.ts'
import { expect } from 'chai'
import { listTasks, readGrid } from '../../api/reads/batch-grid.ts'
import { listMatching } from '../../api/reads/execution-filter.ts'
import type { ExecutionFilter } from '../../contracts/executions.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { ensureSchema } from '../../store/schema.ts'
import type { ExecutionKind, ExecutionStatus } from '../../core/execution.ts'
import type { BatchDocument, ExecutionDocument } from '../../store/documents.ts'
import { sharedStack } from '../support/stack.ts'

function describeFilter(filter: Partial<ExecutionFilter>): string {
  const parts = Object.entries(filter).map(([name, value]) =>
    value instanceof Date ? name : `${name} ${String(value)}`,
  )
  return parts.join(', ') || 'no filter'
}

const SINGLES = 6_000
const BATCH = 6_000
const LIMIT = 20
const NONE: Record<keyof ExecutionFilter, undefined> = {
  status: undefined,
  kind: undefined,
  agent: undefined,
  batch_id: undefined,
  since: undefined,
  until: undefined,
  id_prefix: undefined,
}

interface Profiled {
  ns: string
  planSummary?: string
  keysExamined: number
  docsExamined: number
  nreturned: number
  hasSortStage?: boolean
}

describe('Lists among many executions', function () {
  this.timeout(120_000)
  let store: Store
  const start = Date.now() - 1_000_000

  before(async () => {
    const { MONGODB_URI } = sharedStack()
    store = connectStore({
      uri: MONGODB_URI ?? '',
      database: `test-${randomUUID().slice(0, 8)}`,
      appName: 'flat-lists',
    })
    await ensureSchema(store)
    const singles = Array.from({ length: SINGLES }, (_, index) => execution(index))
    // The rare ones are the oldest: a list that looked through the others would read them all.
    Object.assign(singles[3] as object, { status: 'failed' })
    Object.assign(singles[4] as object, { prompt_name: 'rare' })
    Object.assign(singles[5] as object, { kind: 'chat' })
    const tasks = Array.from({ length: BATCH }, (_, index) => task(index))
    await storeExecutions(store, [...singles, ...tasks])
    await store.batches.insertOne(batch())
  })
  after(async () => {
    await store.db.dropDatabase()
    await store.close()
  })

  function execution(index: number): ExecutionDocument {
    return {
      _id: randomUUID(),
      kind: 'prompt' as ExecutionKind,
      prompt_name: 'common',
      mode: 'single',
      agents: [],
      status: 'completed' as ExecutionStatus,
      inputs: { json: '{}' },
      outputs: null,
      error: null,
      created_at: new Date(start + index),
      completed_at: new Date(start + index + 1),
      usage: {},
      last_trace_id: index + 1,
    }
  }

  /** Ten have failed, the others wait but for five that have begun. */
  function task(index: number): ExecutionDocument {
    const failed = index % (BATCH / 10) === 0
    return {
      ...execution(index),
      kind: 'task',
      batch_id: 'many',
      batch_index: index,
      status: failed ? 'failed' : 'running',
      completed_at: failed ? new Date(start) : null,
      ...(failed || index % (BATCH / 5) === 1 ? { started_at: new Date(start) } : {}),
    }
  }

  function batch(): BatchDocument {
    const counts = { task_count: BATCH, succeeded: 0, failed: 10 }
    return {
      _id: 'many',
      agent_name: 'common',
      status: 'running',
      ...counts,
      created_at: new Date(),
      completed_at: null,
    }
  }

  /** What MongoDB did for a piece of work. */
  async function profiled(work: () => Promise<unknown>): Promise<Profiled[]> {
    await store.db.setProfilingLevel('off')
    await store.db.dropCollection('system.profile').catch(() => undefined)
    await store.db.setProfilingLevel('all')
    await work()
    await store.db.setProfilingLevel('off')
    return store.db
      .collection<Profiled>('system.profile')
      .find({ ns: /\.(executions|open)$/, op: { $in: ['query', 'command', 'getmore'] } })
      .toArray()
  }

  function expectFlat(entries: Profiled[], what: string): void {
    expect(entries, what).to.have.length.at.least(1)
    for (const { planSummary, keysExamined, docsExamined, nreturned, hasSortStage } of entries) {
      const plan = `${what}: ${planSummary}, ${keysExamined} keys and ${docsExamined} documents for ${nreturned}`
      expect(planSummary, plan).to.not.include('COLLSCAN')
      expect(hasSortStage ?? false, `${plan}, sorted`).to.equal(false)
      expect(docsExamined, plan).to.be.at.most(2 * (nreturned + 1))
      expect(keysExamined, plan).to.be.at.most(4 * LIMIT + 100)
    }
  }

  const filters: Partial<ExecutionFilter>[] = [
    {},
    { status: 'failed' },
    { status: 'running' },
    { status: 'running', agent: 'common' },
    { status: 'running', kind: 'task' },
    { status: 'completed' },
    { status: 'failed', kind: 'task' },
    { batch_id: 'many', status: 'running' },
    { kind: 'chat' },
    { kind: 'task' },
    { agent: 'rare' },
    { agent: 'common', status: 'failed' },
    { agent: 'common', kind: 'chat' },
    { kind: 'prompt', status: 'failed', since: new Date(start) },
    { since: new Date(start + 10), until: new Date(start + 4_000) },
    { batch_id: 'many' },
    { batch_id: 'many', status: 'failed' },
  ]
  for (const filter of filters) {
    it(`read what they show and hardly more: ${describeFilter(filter)}`, async () => {
      const wanted = { ...NONE, ...filter }
      const page = { limit: LIMIT, offset: 0, cursor: undefined }
      expectFlat(await profiled(() => listMatching(store, wanted, page)), 'first page')
      const { next_cursor } = await listMatching(store, wanted, page)
      if (next_cursor === null) return
      expectFlat(await profiled(() => listMatching(store, wanted, { ...page, cursor: next_cursor })), 'second page')
    })
  }

  it("read a batch's tasks of a state without looking through the others", async () => {
    for (const state of [undefined, 'failed', 'running'] as const) {
      const read = () => listTasks(store, 'many', { state, limit: LIMIT, offset: 0, cursor: undefined })
      expectFlat(await profiled(read), String(state))
    }
  })

  it('read the grid of a batch from what is open of it and the index of what failed', async () => {
    const found = await store.batches.findOne({ _id: 'many' })
    const session = store.client.startSession({ snapshot: true })
    try {
      const entries = await profiled(() => readGrid(store, found as BatchDocument, session))
      const documents = entries.map(({ ns, docsExamined }) => [ns.split('.').at(-1), docsExamined])
      expect(documents).to.deep.equal([
        ['open', BATCH - 10],
        ['executions', 0],
      ])
      expect(entries.some(({ hasSortStage }) => hasSortStage)).to.equal(false)
    } finally {
      await session.endSession()
    }
  })
})
