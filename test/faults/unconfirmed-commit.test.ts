import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { workflowId } from '../../core/queues.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { startWorker, type ServiceProcess } from '../support/processes.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'

/** What the driver sends at the end of a transaction. */
const COMMIT = 'commitTransaction'

describe('A worker whose commit succeeds without confirmation', function () {
  this.timeout(180_000)
  let service: TestService
  let worker: ServiceProcess
  let mongod: Proxy
  let connection: Connection

  before(async () => {
    service = await startTestService()
    await service.worker.stop()
    const { MONGODB_URI = '', TEMPORAL_ADDRESS: address = '' } = service.env
    mongod = await startProxy(Number(new URL(MONGODB_URI).port))
    const wired = { MONGODB_URI: `mongodb://127.0.0.1:${mongod.port}/?directConnection=true` }
    worker = await startWorker({ env: { ...service.env, ...wired } })
    connection = await Connection.connect({ address })
  })
  after(async () => {
    await worker.stop()
    await mongod.close()
    await connection.close()
    await service.stop()
  })

  const submit = async (prompt_name: string, inputs: object): Promise<string> =>
    (await service.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id
  const typesOf = async (id: string): Promise<string[]> =>
    (await service.store.traces.find({ job_id: id }).sort({ _id: 1 }).toArray()).map(({ event_type }) => event_type)
  const resultOf = (id: string): Promise<unknown> =>
    new Client({ connection }).workflow.getHandle(workflowId(service.env.MONGODB_DATABASE ?? '', id)).result()

  it('recognizes the end that it wrote as its own', async () => {
    const broken = mongod.breakAfter(COMMIT)
    const id = await submit('instant', { kept: true })
    await broken
    const { body } = await untilEnded(service, id)
    expect(body).to.deep.include({ status: 'completed', outputs: { kept: true } })
    expect(await resultOf(id)).to.equal('completed')
    expect(await typesOf(id)).to.deep.equal(['task_start', 'task_complete'])
  })

  it('continues a run with the step that it recorded', async () => {
    const id = await submit('gated', { gate: 'later', value: 7 })
    await eventually(
      () => service.counted(id),
      (lines) => lines.includes('begin'),
    )
    const broken = mongod.breakAfter(COMMIT)
    await service.open('later')
    await broken
    const { body } = await untilEnded(service, id)
    expect(body).to.deep.include({ status: 'completed', outputs: { value: 7 } })
    expect(await service.counted(id)).to.deep.equal(['begin', 'end'])
    expect(await typesOf(id)).to.deep.equal(['task_start', 'task_complete'])
  })

  it('records the stop of a canceled run once, with the usage of its last call', async () => {
    const id = await submit('gated', { gate: 'never' })
    await eventually(
      () => service.counted(id),
      (lines) => lines.includes('begin'),
    )
    const broken = mongod.breakAfter(COMMIT)
    await service.request('POST', `/api/prompts/${id}/cancel`)
    await broken
    const { body } = await untilEnded(service, id)
    expect(body).to.deep.include({ status: 'canceled', outputs: null })
    expect(await resultOf(id)).to.equal('canceled')
    const types = await typesOf(id)
    expect(types.filter((type) => type === 'task_cancel_requested')).to.have.length(1)
    expect(types.filter((type) => type === 'task_complete')).to.have.length(1)
  })
})
