import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { AT_ONCE, createPass } from '../../activities/reconcile.ts'
import type { ActivityDependencies } from '../../activities/dependencies.ts'
import { workflowId } from '../../core/queues.ts'
import { createLog, type Log } from '../../log.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { createLedger } from '../../store/ledger/ledger.ts'
import { ensureSchema } from '../../store/schema.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { isolated, sharedStack } from '../support/stack.ts'

/** What the reconciler looks at: younger records may still be on their way. */
const OLD = { created_at: new Date(Date.now() - 60_000) }
/** Longer than Temporal lets the id of a workflow be: what can be asked for, and never answered. */
const UNASKABLE = 'x'.repeat(1_100)

/** In this process, without a worker: nothing runs the workflows that are started. */
describe('A pass of the reconciler', function () {
  this.timeout(120_000)
  let store: Store
  let wire: Proxy
  let connection: Connection
  let temporal: Client
  let queue: string

  before(async () => {
    const env = isolated(sharedStack())
    queue = env.MONGODB_DATABASE ?? ''
    store = connectStore({ uri: env.MONGODB_URI ?? '', database: queue, appName: 'test' })
    await ensureSchema(store)
    const [host, port] = (env.TEMPORAL_ADDRESS ?? '').split(':')
    wire = await startProxy(Number(port), host)
    connection = await Connection.connect({ address: `127.0.0.1:${wire.port}` })
    temporal = new Client({ connection, namespace: env.TEMPORAL_NAMESPACE ?? '' })
  })
  afterEach(() => store.executions.deleteMany({}))
  after(async () => {
    await connection.close()
    await wire.close()
    await store.db.dropDatabase()
    await store.close()
  })

  /** What passes work with, each of it real. @param said - is told what they log */
  function passes(said: (fields: { id?: string; job_id?: string }) => void, keepHouse = async () => {}) {
    const silent = createLog('test', 'silent')
    const log = Object.assign(Object.create(silent) as Log, { info: said, warn: said })
    const ledger = createLedger({ store, log: silent, tracing: true, timeoutMs: 10_000 })
    return createPass({ store, ledger, temporal, queue, log, keepHouse } as ActivityDependencies)
  }

  it('stops between two records after its time limit, and the next pass continues there', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `${index}-${UNASKABLE}`)
    await storeExecutions(
      store,
      ids.map((_id) => buildExecution({ _id, ...OLD })),
    )
    const time = new AbortController()
    const met: string[] = []
    let ends = 0
    const pass = passes(
      ({ id }) => {
        if (id !== undefined && met.push(id) === 10) time.abort()
      },
      async () => void (ends += 1),
    )
    await pass(time.signal)
    expect(met.length, 'those that had begun').to.be.within(10, 10 + AT_ONCE)
    expect(ends).to.equal(0)
    await pass(new AbortController().signal)
    expect(met.toSorted(), 'each once').to.deep.equal(ids.toSorted())
    expect(ends).to.equal(1)
    await pass(new AbortController().signal)
    expect(met, 'a pass over all of them again').to.have.length(120)
  })

  it('starts nothing for an execution that ended during the pass', async () => {
    const records = Array.from({ length: 20 }, () => buildExecution(OLD))
    await storeExecutions(store, records)
    const { promise: isBusy, resolve: busy } = Promise.withResolvers<void>()
    const begun: string[] = []
    const pass = passes(({ job_id = '' }) => {
      wire.freeze()
      begun.push(job_id)
      busy()
    })(new AbortController().signal)
    await isBusy
    const end = { status: 'completed' as const, completed_at: new Date() }
    await store.executions.updateMany({ _id: { $nin: begun } }, { $set: end })
    wire.mend()
    await pass
    const isStarted = ({ _id }: { _id: string }): Promise<boolean> =>
      temporal.workflow
        .getHandle(workflowId(queue, _id))
        .describe()
        .then(
          () => true,
          () => false,
        )
    const started = await Promise.all(records.map(isStarted))
    const startedIds = records.filter((_, index) => started[index]).map(({ _id }) => _id)
    expect(startedIds, 'those that it was busy with').to.have.members(begun)
    expect(begun.length).to.be.at.most(AT_ONCE)
    for (const id of begun) await temporal.workflow.getHandle(workflowId(queue, id)).terminate('The test is over.')
  })

  it('also repairs records with timestamps in the future', async () => {
    const created_at = new Date(Date.now() + 3_600_000)
    const record = buildExecution({ created_at })
    const canceled = buildExecution({ created_at, status: 'canceled', started_at: created_at })
    await storeExecutions(store, [record, canceled])
    await passes(() => undefined)(new AbortController().signal)
    expect((await store.executions.findOne({ _id: canceled._id }))?.completed_at).to.be.a('date')
    const started = temporal.workflow.getHandle(workflowId(queue, record._id))
    expect((await started.describe()).status.name).to.equal('RUNNING')
    await started.terminate('The test is over.')
  })

  it('records the stop of canceled tasks without a worker, also in an ended batch', async () => {
    const task = { kind: 'task', batch_id: randomUUID(), status: 'canceled', started_at: new Date(), ...OLD } as const
    const letGo = { n: 1, attempt: 'a1', worker: null, lost: 0 }
    const record = buildExecution({ ...task, batch_index: 0, takes: { 0: letGo } })
    await storeExecutions(store, [record])
    await passes(() => undefined)(new AbortController().signal)
    expect((await store.executions.findOne({ _id: record._id }))?.completed_at).to.be.a('date')
  })
})
