import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { workflowId } from '../../core/queues.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { connectTemporal, type TemporalOfService } from '../support/temporal.ts'

/** Three failed workflow tasks, and a pass of the reconciler. */
const SEEN_WITHIN_MS = 90_000

/** Workflows of a version that went wrong, brought about by arguments that its code cannot work with. */
describe('A workflow whose code throws', function () {
  this.timeout(240_000)
  let service: TestService
  let temporal: TemporalOfService

  before(async () => {
    service = await startTestService()
    temporal = await connectTemporal(service.env)
  })
  after(() => Promise.all([service.stop(), temporal.close()]))

  const start = (id: string, type: 'prompt' | 'batch', argument: object) => {
    const queue = service.env.MONGODB_DATABASE ?? ''
    return temporal.client.workflow.start(type, {
      workflowId: workflowId(queue, id),
      taskQueue: queue,
      args: [argument],
    })
  }
  const execution = (agents: string[]) =>
    buildExecution({ agents: agents.map((name) => ({ name })), inputs: { json: '{"text":"on"}' } })
  /** Times that the reconciler told operators of a workflow that cannot go on. */
  const reports = async (id: string): Promise<number> =>
    (await service.worker.logs()).split('\n').filter((line) => line.includes(id) && line.includes('cannot continue'))
      .length

  it('after some progress is reported repeatedly, never fails its run, and can be canceled', async () => {
    const record = execution(['slow', 'surround'])
    await storeExecutions(service.store, [record])
    const { _id: id } = record
    // The first agent runs; the second is none that the code knows what to do with.
    await start(id, 'prompt', { job: id, agents: ['slow', 7], priority: 2 })
    await eventually(
      () => reports(id),
      (times) => times >= 2,
      SEEN_WITHIN_MS,
    )
    const { body } = await service.request('GET', `/api/prompts/${id}`)
    expect(body).to.include({ status: 'running', error: null, completed_at: null })
    expect((await temporal.handleOf(id).describe()).status.name).to.equal('RUNNING')
    expect((await service.store.executions.findOne({ _id: id }))?.restarts).to.equal(undefined)
    await service.request('POST', `/api/prompts/${id}/cancel`)
    expect((await untilEnded(service, id, SEEN_WITHIN_MS)).body.status).to.equal('canceled')
  })

  it('before any progress is restarted, and the run completes', async () => {
    const record = execution(['surround'])
    await storeExecutions(service.store, [record])
    await start(record._id, 'prompt', { job: record._id, agents: null })
    const { body } = await untilEnded(service, record._id, SEEN_WITHIN_MS)
    expect(body).to.deep.include({ status: 'completed', outputs: { got: { text: 'on' }, text: 'surrounded' } })
  })

  it('for a batch is replaced atomically, and all tasks succeed', async () => {
    const id = randomUUID()
    const at = new Date()
    const tasks = [0, 1, 2].map((batch_index) => ({
      ...execution(['surround']),
      ...{ kind: 'task' as const, batch_id: id, batch_index },
    }))
    await storeExecutions(service.store, tasks)
    await service.store.batches.insertOne({
      ...{ _id: id, agent_name: 'surround', agents: ['surround'], status: 'submitted', task_count: 3 },
      ...{ succeeded: 0, failed: 0, created_at: at, added_at: at, completed_at: null },
    })
    const broken = await start(id, 'batch', { batch: id, window: { next: null, open: null } })
    const seen = new Set<string>()
    await eventually(
      async () => {
        const { status } = await temporal.handleOf(id).describe()
        seen.add(status.name)
        return (await service.request('GET', `/api/batches/${id}`)).body
      },
      (batch) => batch.status === 'completed',
      SEEN_WITHIN_MS,
    )
    const { body } = await service.request('GET', `/api/batches/${id}`)
    expect(body.outputs.summary).to.deep.equal({ total_expected: 3, recorded: 3, succeeded: 3, failed: 0 })
    expect([...seen].filter((status) => status !== 'RUNNING' && status !== 'COMPLETED')).to.deep.equal([])
    const first = temporal.client.workflow.getHandle(broken.workflowId, broken.firstExecutionRunId)
    expect((await first.describe()).status.name).to.equal('TERMINATED')
    expect((await service.store.batches.findOne({ _id: id }))?.restarts?.count).to.equal(1)
  })
})
