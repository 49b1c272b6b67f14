import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { startWorker } from '../support/processes.ts'
import { startProxy } from '../support/proxy.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { FAULT_AGENTS } from './scene.ts'

// Temporal takes a worker that is cut off or stands still for dead, and begins what it did a second time. Here two workflows
// of the same execution bring that about, while the first attempt lives.
describe('Two concurrent attempts at the same run', function () {
  this.timeout(60_000)
  let service: TestService
  let connection: Connection
  let temporal: Client

  before(async () => {
    service = await startTestService({ agentsDir: FAULT_AGENTS })
    connection = await Connection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' })
    temporal = new Client({ connection, namespace: service.env.TEMPORAL_NAMESPACE ?? '' })
  })
  after(async () => {
    await service.stop()
    await connection.close()
  })

  it('become one: the second waits for the first, and both have the same end', async () => {
    const name = randomUUID()
    const { body } = await service.request('POST', '/api/prompts', { prompt_name: 'fickle', inputs: { name } })
    const id: string = body.prompt_id
    await eventually(
      () => service.counted(name),
      (lines) => lines.length === 1,
    )
    const other = await startWorker({ env: service.env })
    const twin = await temporal.workflow.start('prompt', {
      workflowId: `${service.env.MONGODB_DATABASE}/twin-${id}`,
      taskQueue: service.env.MONGODB_DATABASE ?? '',
      args: [{ job: id, agents: ['fickle'], priority: 3 }],
    })
    const waits = async () => (await twin.describe()).raw.pendingActivities?.length ?? 0
    await eventually(waits, (pending) => pending === 1)
    await service.open(`${name}-1`)
    expect((await untilEnded(service, id)).body).to.deep.include({
      status: 'completed',
      outputs: { result: 'decided' },
    })
    expect(await twin.result()).to.equal('completed')
    await other.stop()
    expect(await service.counted(name)).to.have.length(1)
    expect(await service.counted(id)).to.deep.equal(['note 0'])
    const traces = await service.store.traces.find({ job_id: id }).sort({ _id: 1 }).toArray()
    expect(traces.map(({ event_type }) => event_type)).to.deep.equal([
      'task_start',
      'llm_usage',
      'tool_call',
      'llm_usage',
      'task_complete',
    ])
  })

  it('do not occur when MongoDB is slow, because a run is recorded as taken before it is handed on', async () => {
    const mongod = await startProxy(Number(new URL(service.env.MONGODB_URI ?? '').port))
    const wired = { ...service.env, MONGODB_URI: `mongodb://127.0.0.1:${mongod.port}/?directConnection=true` }
    const others = await Promise.all(Array.from({ length: 2 }, () => startWorker({ env: wired })))
    mongod.slow(60)
    try {
      const submit = async (): Promise<string> =>
        (await service.request('POST', '/api/prompts', { prompt_name: 'patient', inputs: {} })).body.prompt_id
      const ids = await Promise.all(Array.from({ length: 40 }, submit))
      const counts = () => Promise.all(ids.map(service.counted))
      await eventually(counts, (lines) => lines.every((own) => own.length > 0))
      const running = await service.store.executions.find({ _id: { $in: ids } }).toArray()
      const holders = new Set(running.map(({ takes }) => takes?.['0']?.worker))
      expect(holders.size, 'workers that run them').to.be.above(1)
      await Promise.all(ids.map(service.open))
      for (const id of ids) expect((await untilEnded(service, id)).body.status).to.equal('completed')
      for (const lines of await counts()) expect(lines).to.deep.equal(['begin'])
    } finally {
      await Promise.all(others.map((other) => other.stop()))
      await mongod.close()
    }
  })
})
