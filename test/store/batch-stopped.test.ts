import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActivityDependencies } from '../../activities/dependencies.ts'
import { recordBatchStopped } from '../../activities/record-outcome.ts'
import { createLog } from '../../log.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { createLedger, type Ledger } from '../../store/ledger/ledger.ts'
import { ensureSchema } from '../../store/schema.ts'
import { watchWorkers, type Workers } from '../../store/registry/workers.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { spending } from '../support/spending.ts'
import { isolated, sharedStack } from '../support/stack.ts'

describe('The record that a canceled batch has stopped', function () {
  this.timeout(60_000)
  let store: Store
  let connection: Connection
  let ledger: Ledger
  let workers: Workers
  let deps: ActivityDependencies
  const writer = { path: '0', attempt: 'a1' }

  before(async () => {
    const env = isolated(sharedStack())
    store = connectStore({ uri: env.MONGODB_URI ?? '', database: env.MONGODB_DATABASE ?? '', appName: 'test' })
    await ensureSchema(store)
    const log = createLog('test', 'silent')
    ledger = createLedger({ store, log, tracing: true, timeoutMs: 10_000 })
    const worker = { _id: randomUUID(), pool: 'test', identity: 'test' }
    workers = watchWorkers({ store, log, worker })
    await workers.first
    connection = await Connection.connect({ address: env.TEMPORAL_ADDRESS ?? '' })
    const temporal = new Client({ connection, namespace: env.TEMPORAL_NAMESPACE ?? '' })
    // What this activity works with, each of them real.
    deps = { store, ledger, workers, temporal, queue: env.MONGODB_DATABASE ?? '' } as ActivityDependencies
  })
  after(async () => {
    await workers.stop()
    await connection.close()
    await store.db.dropDatabase()
    await store.close()
  })

  /** A canceled batch of a task that goes on under a workflow of its own, in a worker that lives. */
  async function canceledBatch(): Promise<{ batch: string; job: string }> {
    const batch = randomUUID()
    const take = { n: 1, attempt: writer.attempt, worker: workers.me, lost: 0 }
    const task = { kind: 'task' as const, batch_id: batch, batch_index: 0 }
    const execution = buildExecution({ ...task, status: 'canceled', started_at: new Date(), takes: { 0: take } })
    await storeExecutions(store, [execution], { detached: true })
    await store.batches.insertOne({
      ...{ _id: batch, agent_name: 'a', status: 'canceled', task_count: 1, succeeded: 0, failed: 1 },
      ...{ created_at: new Date(), completed_at: null },
    })
    return { batch, job: execution._id }
  }

  it('waits for the last words of a task that is still held: what its aborted call has used counts', async () => {
    const { batch, job } = await canceledBatch()
    const stopped = recordBatchStopped(deps, batch)
    await sleep(500)
    const common = { jobId: job, batchId: batch, writer, events: [] }
    const { inserted } = await ledger.append({ ...common, path: '0.m00000', usage: spending() })
    expect(inserted).to.equal(true)
    await ledger.append({ ...common, releases: true })
    await stopped
    const task = await store.executions.findOne({ _id: job })
    expect(task?.completed_at).to.be.a('date')
    expect(Object.values(task?.usage ?? {})[0]).to.include({ calls: 1, total_tokens: 3 })
    expect((await store.batches.findOne({ _id: batch }))?.completed_at).to.be.a('date')
  })

  it('does not wait for ever for a worker that lives and says nothing', async () => {
    const { batch, job } = await canceledBatch()
    await recordBatchStopped(deps, batch)
    expect((await store.executions.findOne({ _id: job }))?.completed_at).to.be.a('date')
    const late = { jobId: job, batchId: batch, writer, path: '0.m00000', events: [], usage: spending() }
    expect(await ledger.append(late)).to.include({ inserted: false, overtaken: true })
  })
})
