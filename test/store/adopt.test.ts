import { expect } from 'chai'
import { adoptRecent, noteUpgrade } from '../../store/adopt.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import type { BatchDocument, ExecutionDocument, TraceDocument } from '../../store/documents.ts'
import { ensureSchema } from '../../store/schema.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { startApi } from '../support/processes.ts'
import { isolated, sharedStack } from '../support/stack.ts'

const AT = new Date('2026-01-02T03:04:05.678Z')
/** Of the version before `open`: it found by it what runs in a batch. */
const EARLIER_INDEX = { name: 'open_tasks', key: { batch_id: 1, batch_index: 1 } } as const

function task(index: number, fields: Partial<ExecutionDocument & { detached: true }>): ExecutionDocument {
  return buildExecution({
    ...{ _id: `t${index}`, kind: 'task', batch_id: 'b', batch_index: index, created_at: AT, ...fields },
  })
}

function batch(fields: Partial<BatchDocument>): BatchDocument {
  return {
    ...{ _id: 'b', agent_name: 'somebody', status: 'running', created_at: AT, completed_at: null },
    ...{ task_count: 0, succeeded: 0, failed: 0, ...fields },
  }
}

describe('What processes of earlier versions wrote', function () {
  this.timeout(120_000)
  let store: Store
  let env: Record<string, string>
  const ended = { completed_at: AT, started_at: AT }
  const open = async () => (await store.open.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)
  const adopt = async (): Promise<void> => {
    for await (const _portion of adoptRecent(store, new Date())) continue
  }

  beforeEach(async () => {
    env = isolated(sharedStack())
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = env
    store = connectStore({ uri: uri ?? '', database: database ?? '', appName: 'test' })
  })

  afterEach(async () => {
    await store.db.dropDatabase()
    await store.close()
  })

  it('is taken over when the first process of this version starts, and their indexes go', async () => {
    await store.executions.createIndexes([EARLIER_INDEX])
    await store.executions.insertMany([
      task(0, { status: 'completed', ...ended }),
      task(1, { status: 'failed', ...ended, last_trace_id: 8 }),
      task(2, { started_at: AT }),
      task(3, { status: 'canceled', started_at: AT }),
      task(4, { detached: true }),
      buildExecution({ _id: 'chat', kind: 'chat', created_at: AT, last_trace_id: 9 }),
    ])
    const event = { job_id: 't1', agent_name: 'somebody', event_type: 'error', parent_id: null } as const
    const events: TraceDocument[] = [7, 8].map((_id) => ({ ...event, _id, payload: '{}', timestamp: AT }))
    await store.traces.insertMany(events)

    await ensureSchema(store)

    const kept = { kind: 'task', prompt_name: 'somebody', created_at: AT, batch_id: 'b' }
    expect(await store.open.find().sort({ _id: 1 }).toArray()).to.deep.equal([
      { _id: 'chat', kind: 'chat', prompt_name: 'somebody', created_at: AT },
      { _id: 't2', ...kept, batch_index: 2, started: true },
      { _id: 't3', ...kept, batch_index: 3, started: true, stopping: true },
      { _id: 't4', ...kept, batch_index: 4, detached: true },
    ])
    const troubled = await store.executions.find({ trouble: { $exists: true } }).toArray()
    expect(troubled.map(({ _id, trouble }) => [_id, trouble])).to.have.deep.members([
      ['t1', 'failed'],
      ['t3', 'canceled'],
    ])
    expect((await store.traces.find({ last: true }).toArray()).map(({ _id }) => _id)).to.deep.equal([8])
    const indexes = (await store.executions.indexes()).map(({ name }) => name)
    expect(indexes).to.include('trouble').and.not.to.include(EARLIER_INDEX.name)
  })

  it('is taken over before an API of this version takes requests', async () => {
    await store.executions.createIndexes([EARLIER_INDEX])
    await store.executions.insertMany(Array.from({ length: 20_000 }, (_, index) => task(index, {})))
    const api = await startApi({ env })
    try {
      expect(await store.open.countDocuments()).to.equal(20_000)
    } finally {
      await api.stop()
    }
  })

  it('is taken over while they go on: batches of any size that they submit, and tasks that they end', async () => {
    await ensureSchema(store)
    await noteUpgrade(store)
    const many = Array.from({ length: 1_200 }, (_, index) => task(index, {}))
    await store.executions.insertMany(many)
    await store.batches.insertOne(batch({ task_count: many.length }))
    await adopt()
    expect(await open()).to.have.length(1_200)

    await store.executions.updateOne({ _id: 't0' }, { $set: { status: 'failed', ...ended } })
    await store.executions.updateOne({ _id: 't1' }, { $set: { status: 'completed', ...ended } })
    await store.batches.updateOne({ _id: 'b' }, { $set: { succeeded: 1, failed: 1 } })
    await adopt()
    expect(await open())
      .to.have.length(1_198)
      .and.not.include.members(['t0', 't1'])
    expect(await store.executions.distinct('_id', { trouble: 'failed' })).to.deep.equal(['t0'])

    // What an earlier version says of a task that is known to be open, and what it deleted.
    await store.executions.updateOne({ _id: 't2' }, { $set: { status: 'canceled', started_at: AT } })
    await store.batches.updateOne({ _id: 'b' }, { $inc: { failed: 1, task_count: -1 } })
    await store.executions.deleteOne({ _id: 't3' })
    await adopt()
    expect(await store.open.findOne({ _id: 't2' })).to.deep.include({ stopping: true, started: true })
    expect(await store.open.findOne({ _id: 't3' })).to.equal(null)
  })

  it('never makes open what ends while it is read', async () => {
    await ensureSchema(store)
    await noteUpgrade(store)
    const many = Array.from({ length: 3_000 }, (_, index) => task(index, {}))
    await storeExecutions(store, many)
    await store.batches.insertOne(batch({ task_count: many.length }))
    // One that does not add up is looked through.
    await store.batches.updateOne({ _id: 'b' }, { $inc: { task_count: 1 } })
    let isOver = false
    const passes = (async () => {
      while (!isOver) await adopt()
      await adopt()
    })()
    for (let from = 0; from < many.length; from += 100) {
      const ids = many.slice(from, from + 100).map(({ _id }) => _id)
      await store.client.withSession((session) =>
        session.withTransaction(async () => {
          const end = { $set: { status: 'completed' as const, completed_at: AT } }
          await store.executions.updateMany({ _id: { $in: ids } }, end, { session })
          await store.open.deleteMany({ _id: { $in: ids } }, { session })
        }),
      )
    }
    isOver = true
    await passes
    expect(await open()).to.deep.equal([])
  })

  it('is looked through once more when the upgrade is over, and never again', async () => {
    await ensureSchema(store)
    await store.executions.insertOne(task(0, {}))
    await adopt()
    expect(await open(), 'no upgrade').to.deep.equal([])
    await noteUpgrade(store)
    const later = new Date(Date.now() + 2 * 3_600_000)
    for await (const _portion of adoptRecent(store, later)) continue
    expect(await open()).to.deep.equal(['t0'])
    await store.open.deleteMany({})
    for await (const _portion of adoptRecent(store, later)) continue
    expect(await open()).to.deep.equal([])
  })

  it('is not looked for in batches that add up', async () => {
    await ensureSchema(store)
    await noteUpgrade(store)
    const canceled = task(2, { status: 'canceled', started_at: AT })
    await storeExecutions(store, [task(0, { status: 'failed', ...ended }), task(1, {}), canceled])
    await store.batches.insertOne(batch({ task_count: 3, failed: 2 }))
    const newer = Array.from({ length: 1_000 }, () => buildExecution({ ...ended, status: 'completed' }))
    await store.executions.insertMany(newer)
    // Only a pass over its batch would find it.
    await store.executions.updateOne({ _id: 't0' }, { $set: { last_trace_id: 5 } })
    const event = { _id: 5, job_id: 't0', agent_name: 'somebody', event_type: 'error', parent_id: null } as const
    await store.traces.insertOne({ ...event, payload: '{}', timestamp: AT })
    await adopt()
    expect(await store.traces.countDocuments({ last: true })).to.equal(0)
    expect(await open()).to.deep.equal(['t1', 't2'])
  })
})
