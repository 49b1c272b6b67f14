import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { createLog } from '../../log.ts'
import type { Blobs } from '../../store/objects/blobs.ts'
import { budgetId, budgetsOf, openBudget } from '../../store/spending/budgets.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { ensureSchema } from '../../store/schema.ts'
import {
  beginBatchDeletion,
  deleteBatch,
  deleteExecution,
  deletionsOf,
  finishDeletion,
} from '../../store/housekeeping/deletion.ts'
import { createHousekeeping, type HousekeepingOptions } from '../../store/housekeeping/housekeeping.ts'
import { collectOrphans } from '../../store/housekeeping/orphans.ts'
import { expireBatches, expireExecutions, expireTraces } from '../../store/housekeeping/retention.ts'
import { createS3Blobs, type S3Options } from '../../store/objects/s3.ts'
import { buildExecution } from '../build/execution.ts'
import { listGroups } from '../../api/reads/traces.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import { openDocument } from '../../store/open.ts'
import { committedTogether, storeExecutions } from '../build/store-executions.ts'
import { isolated, sharedStack } from '../support/stack.ts'

const DAY_MS = 86_400_000

describe('Housekeeping', function () {
  this.timeout(60_000)
  let store: Store
  let blobs: Blobs
  let s3: S3Options
  const now = new Date()
  const ago = (days: number): Date => new Date(now.getTime() - days * DAY_MS)

  before(async () => {
    const env = isolated(sharedStack())
    store = connectStore({ uri: env.MONGODB_URI ?? '', database: env.MONGODB_DATABASE ?? '', appName: 'test' })
    await ensureSchema(store)
    const [accessKeyId = '', secretAccessKey = ''] = [env.AWS_ACCESS_KEY_ID, env.AWS_SECRET_ACCESS_KEY]
    // A bucket of its own: whatever lies in the shared one belongs to other tests.
    const bucket = `test-${randomUUID()}`
    s3 = {
      endpoint: env.S3_ENDPOINT,
      region: 'us-east-1',
      bucket,
      accessKeyId,
      secretAccessKey,
      sessionToken: undefined,
    }
    const client = new S3Client({
      endpoint: env.S3_ENDPOINT ?? '',
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    })
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
    client.destroy()
    blobs = createS3Blobs(s3)
  })
  beforeEach(async () => {
    for (const { collectionName } of await store.db.collections())
      await store.db.collection(collectionName).deleteMany({})
    for (const key of await keys()) await blobs.remove([key])
  })
  after(async () => {
    await store.db.dropDatabase()
    await store.close()
    blobs.close()
  })

  const keys = async (prefix = ''): Promise<string[]> => (await blobs.list(prefix, '')).map(({ key }) => key)
  const drain = async (chore: AsyncGenerator<unknown>): Promise<number> => {
    let portions = 0
    for await (const _position of chore) portions += 1
    return portions
  }

  /** An execution that ended `days` ago, with two events and a step; -1 means that it runs. */
  async function add(
    days: number,
    more: Partial<ExecutionDocument> = {},
    submitted = Math.max(days, 40),
  ): Promise<string> {
    const _id = randomUUID()
    const first = (await store.traces.countDocuments()) + 1
    const runs = days < 0
    const ended = runs ? {} : { status: 'completed' as const, completed_at: ago(days) }
    await storeExecutions(store, [
      buildExecution({ _id, created_at: ago(submitted), last_trace_id: first + 1, ...ended, ...more }),
    ])
    const event = { job_id: _id, agent_name: 'a', event_type: 'tool_call', parent_id: null, payload: '{}' } as const
    const timestamp = ago(runs ? submitted : days)
    await store.traces.insertMany(committedTogether([first, first + 1].map((id) => ({ _id: id, ...event, timestamp }))))
    await store.steps.insertOne({ _id: `${_id}|0`, job_id: _id, result: null, at: timestamp })
    return _id
  }

  async function addBatch(days: number, tasks: number): Promise<string> {
    const _id = randomUUID()
    await store.batches.insertOne({
      _id,
      agent_name: 'a',
      status: days < 0 ? 'running' : 'completed',
      task_count: tasks,
      succeeded: tasks,
      failed: 0,
      created_at: ago(Math.max(days, 50)),
      completed_at: days < 0 ? null : ago(days),
    })
    for (let index = 0; index < tasks; index += 1) {
      await add(Math.max(days, 45), { kind: 'task', batch_id: _id, batch_index: index })
    }
    return _id
  }

  const executionIds = async (): Promise<string[]> => (await store.executions.find().toArray()).map(({ _id }) => _id)
  const tracedJobs = async (): Promise<string[]> => store.traces.distinct('job_id')

  it('deletes old trace events, but not those of what runs', async () => {
    const [old, running, young] = [await add(35), await add(-1), await add(2)]
    await drain(expireTraces(store, ago(30)))
    expect(await tracedJobs()).to.have.members([running, young])
    expect(await executionIds()).to.have.members([old, running, young])
    const { jobs } = await listGroups(store, { limit: 10, cursor: undefined, offset: undefined })
    expect(jobs).to.have.members([running, young])
    expect(await store.steps.countDocuments()).to.equal(3)
  })

  it('goes on with trace events where a pass was broken off', async () => {
    for (let n = 0; n < 260; n += 1) await add(35)
    const first = expireTraces(store, ago(30))
    const { value: position } = await first.next()
    await first.return(undefined)
    expect(position).to.equal(500)
    await drain(expireTraces(store, ago(30), position as number))
    expect(await store.traces.countDocuments()).to.equal(0)
  })

  it('leaves the tasks of a batch alone that got the id after another has finished the deletion', async () => {
    const id = await addBatch(35, 2)
    const deletion = await beginBatchDeletion(store, id)
    const stoodStill = finishDeletion({ store, blobs }, deletion)
    await stoodStill.next()
    await drain(finishDeletion({ store, blobs }, deletion))
    const task = await add(1, { kind: 'task', batch_id: id, batch_index: 0 })
    await drain(stoodStill)
    expect(await executionIds()).to.deep.equal([task])
  })

  it('deletes executions and batches that ended long ago, and nothing else', async () => {
    const [old, running, young] = [await add(35), await add(-1), await add(2)]
    const [oldBatch, runningBatch, youngBatch] = [await addBatch(35, 3), await addBatch(-1, 2), await addBatch(2, 2)]
    await drain(expireBatches({ store, blobs }, ago(30)))
    await drain(expireExecutions({ store, blobs }, ago(30)))
    const left = await store.executions.find().toArray()
    expect(left.map(({ _id, batch_id }) => batch_id ?? _id)).to.have.members([
      running,
      young,
      ...[runningBatch, runningBatch],
      ...[youngBatch, youngBatch],
    ])
    const batches = (await store.batches.find().toArray()).map(({ _id }) => _id)
    expect(batches).to.have.members([runningBatch, youngBatch]).and.not.include(oldBatch)
    expect(await tracedJobs()).not.to.include(old)
    expect(await store.steps.countDocuments({ job_id: old })).to.equal(0)
    expect(await deletionsOf(store).countDocuments()).to.equal(0)
  })

  it('finishes a deletion whose process died or whose object store was away', async () => {
    const away = createS3Blobs({ ...s3, endpoint: 'http://127.0.0.1:9' })
    const job = await add(1)
    const pointer = await blobs.put(`inputs/${job}.json`, '{}')
    await blobs.put(`steps/${job}/0.x.json`, '{}')
    await store.executions.updateOne({ _id: job }, { $set: { inputs: { pointer } } })
    const failed = await deleteExecution({ store, blobs: away }, job).catch((error: Error) => error)
    expect(failed).to.include({ code: 'storage_failed' })
    away.close()
    expect(await executionIds()).to.deep.equal([])
    await deletionsOf(store).updateMany({}, { $set: { at: ago(1) } })
    await house({})()
    expect([...(await tracedJobs()), ...(await keys('inputs/')), ...(await keys('steps/'))]).to.deep.equal([])
    expect(await deletionsOf(store).countDocuments()).to.equal(0)
  })

  it('leaves a batch alone of which a canceled task has not stopped yet, and deletes all of it later', async () => {
    const batch = await addBatch(35, 3)
    const last = { batch_id: batch, batch_index: 2 }
    const canceled = { status: 'canceled', completed_at: null } as const
    const task = await store.executions.findOneAndUpdate(last, { $set: canceled }, { returnDocument: 'after' })
    await store.open.insertOne({ ...openDocument(task as ExecutionDocument), stopping: true })
    const refused = await deleteBatch({ store, blobs }, batch).catch((error: Error) => error)
    expect(refused).to.include({ code: 'conflict' })
    expect(refused).to.have.property('message').that.contains('has not stopped yet')
    await drain(expireBatches({ store, blobs }, ago(30)))
    expect(await executionIds()).to.have.length(3)
    expect(await store.batches.countDocuments()).to.equal(1)
    await store.executions.updateOne(last, { $set: { completed_at: ago(31) } })
    await store.open.deleteOne(last)
    await drain(expireBatches({ store, blobs }, ago(30)))
    expect([...(await executionIds()), ...(await tracedJobs())]).to.deep.equal([])
    expect(await store.steps.countDocuments()).to.equal(0)
  })

  it('deletes the budgets that agents of an execution had, also those that nothing was drawn from', async () => {
    const [one, other, batch] = [await add(1), await add(35), await addBatch(35, 2)]
    const limits = { modelCalls: 1 }
    for (const job of await executionIds()) await openBudget(store, budgetId(job, '0'), limits)
    await deleteExecution({ store, blobs }, one)
    await drain(expireExecutions({ store, blobs }, ago(30)))
    const left = (await budgetsOf(store).find().toArray()).map(({ _id }) => _id)
    const tasks = await store.executions.find({ batch_id: batch }).toArray()
    expect(left)
      .to.have.members(tasks.map(({ _id }) => `${_id}|0`))
      .and.not.include(`${other}|0`)
    await deleteBatch({ store, blobs }, batch)
    expect(await budgetsOf(store).countDocuments()).to.equal(0)
  })

  it('lets two deletions of the same batch find it once', async () => {
    const batch = await addBatch(1, 5)
    const [one, other] = await Promise.allSettled([1, 2].map(() => deleteBatch({ store, blobs }, batch)))
    const outcomes = [one, other].map((each) =>
      each?.status === 'fulfilled' ? each.value.executions : each?.reason.code,
    )
    expect(outcomes).to.have.members([5, 'not_found'])
    expect(await executionIds()).to.deep.equal([])
  })

  function house(more: Partial<HousekeepingOptions>): () => Promise<void> {
    const log = createLog('test', 'silent')
    return createHousekeeping({ store, blobs, log, traceDays: undefined, executionDays: undefined, ...more })
  }

  it('deletes nothing unless it was told to, and then once an hour', async () => {
    await add(400)
    await addBatch(400, 1)
    await house({})()
    expect(await store.traces.countDocuments()).to.equal(4)
    const keepHouse = house({ traceDays: 300, executionDays: 365 })
    await keepHouse()
    expect(await executionIds()).to.deep.equal([])
    const late = await add(400)
    await keepHouse()
    expect(await executionIds()).to.deep.equal([late])
    await store.db.collection('housekeeping').updateMany({}, { $set: { next_at: ago(1) } })
    await Promise.all([keepHouse(), keepHouse()])
    expect(await executionIds()).to.deep.equal([])
  })

  describe('of the object store', () => {
    const later = new Date(now.getTime() + 3 * DAY_MS)
    const put = async (...names: string[]): Promise<void> => {
      for (const name of names) await blobs.put(name, '{}')
    }

    it('collects what nothing points to, after a day', async () => {
      const [ended, running, gone] = [await add(1), await add(-1), randomUUID()]
      const [inputs, response] = [`inputs/${ended}.json`, `responses/2026/01/01/${ended}.a2.json`]
      await put(inputs, response, `responses/2026/01/01/${ended}.a1.json`)
      await put(`steps/${ended}/0.a1.json`, `steps/${ended}/0.a2.json`, `steps/${running}/0.a1.json`)
      await put(`inputs/${gone}.json`, `steps/${gone}/0.a1.json`, 'reports/mine.json', 'inputs/readme.txt')
      const pointer = (key: string) => ({ pointer: { bucket: s3.bucket, key, size_bytes: 2 } })
      await store.executions.updateOne(
        { _id: ended },
        { $set: { inputs: pointer(inputs), outputs: pointer(response) } },
      )
      await store.steps.updateOne({ _id: `${ended}|0` }, { $set: { attempt: 'a2' } as never })
      const all = await keys()
      // The first pass leaves this installation's name; a day later nobody else has come.
      await drain(collectOrphans({ store, blobs }, now))
      expect(await keys()).to.include.members(all)
      await drain(collectOrphans({ store, blobs }, now))
      expect(await keys()).to.include.members(all)
      await drain(collectOrphans({ store, blobs }, later))
      expect((await keys()).filter((key) => !key.startsWith('installations/'))).to.have.members([
        inputs,
        response,
        `steps/${ended}/0.a2.json`,
        `steps/${running}/0.a1.json`,
        'reports/mine.json',
        'inputs/readme.txt',
      ])
    })

    it('keeps the inputs that the start of a run points to which has changed hands', async () => {
      const job = await add(1, { takes: { 1: { n: 2, attempt: 'a2', worker: null, lost: 1, started_by: 'a1' } } })
      const step = { job_id: job, result: null, attempt: 'a2', at: new Date() }
      await store.steps.insertOne({ _id: `${job}|1`, ...step })
      const [shown, overtaken] = [`steps/${job}/1.inputs.a1.json`, `steps/${job}/1.inputs.a3.json`]
      await put(shown, overtaken, `steps/${job}/1.a1.json`)
      await drain(collectOrphans({ store, blobs }, now))
      await drain(collectOrphans({ store, blobs }, later))
      expect(await keys('steps/')).to.deep.equal([shown])
    })

    it('leaves a bucket alone that another installation uses too', async () => {
      await put(`inputs/${randomUUID()}.json`, 'installations/another.json')
      const all = await keys()
      await drain(collectOrphans({ store, blobs }, now))
      await drain(collectOrphans({ store, blobs }, later))
      expect(await keys()).to.include.members(all)
    })

    it('goes on behind the key where a pass was broken off', async () => {
      await drain(collectOrphans({ store, blobs }, now))
      const [first, second] = ['inputs/1.json', 'steps/2/0.json']
      await put(first, second)
      await drain(collectOrphans({ store, blobs }, later, 'inputs/1.json'))
      expect(await keys())
        .to.include(first)
        .and.not.include(second)
    })

    it('collects more than one list gives', async () => {
      await drain(collectOrphans({ store, blobs }, now))
      await Promise.all(Array.from({ length: 620 }, (_, n) => put(`inputs/${n}.json`)))
      expect(await drain(collectOrphans({ store, blobs }, later))).to.be.greaterThan(1)
      expect(await keys('inputs/')).to.deep.equal([])
    })
  })
})
