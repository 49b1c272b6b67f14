import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workflowId } from '../../core/queues.ts'
import { startWorker } from '../support/processes.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'

/** Far less than the time that a pool without workers would cost. */
const AT_ONCE_MS = 15_000

describe('An agent whose definition changes between submission and run', function () {
  this.timeout(120_000)
  let service: TestService
  let agentsDir: string

  const asCode = (name: string) => `run: ({ n }) => ({ by: 'code', agent: '${name}', n })`
  const asModel = (name: string) => `model: 'scripted', script: ({ inputs }) => ({ text: 'model ${name} ' + inputs.n })`
  const write = (name: string, how: string) =>
    writeFile(join(agentsDir, `${name}.mjs`), `export default { name: '${name}', role: 'R', goal: 'G', ${how} }\n`)

  before(async () => {
    agentsDir = await mkdtemp(join(tmpdir(), 'troupe-changing-'))
    await write('was-code', asCode('was-code'))
    await write('was-model', asModel('was-model'))
    service = await startTestService({ agentsDir })
  })
  after(async () => {
    await service.stop()
    await rm(agentsDir, { recursive: true, force: true })
  })

  it('runs as what it is then, as a prompt and in a batch', async () => {
    await service.worker.kill9()
    const submitted = await Promise.all(
      ['was-code', 'was-model'].map(async (agent) => {
        const prompt = await service.request('POST', '/api/prompts', { prompt_name: agent, inputs: { n: 0 } })
        const tasks = [{ n: 1 }, { n: 2 }]
        const batch = await service.request('POST', `/api/agents/${agent}/batch`, { tasks })
        return [prompt.body.prompt_id as string, ...(batch.body.job_ids as string[])]
      }),
    )
    await write('was-code', asModel('was-code'))
    await write('was-model', asCode('was-model'))
    await service.worker.restart()
    const [nowModel = [], nowCode = []] = submitted
    for (const [n, id] of nowModel.entries()) {
      expect((await untilEnded(service, id)).body.outputs).to.deep.equal({ result: `model was-code ${n}` })
    }
    for (const [n, id] of nowCode.entries()) {
      const { body } = await untilEnded(service, id)
      expect(body.outputs).to.deep.equal({ by: 'code', agent: 'was-model', n })
    }
  })
})

describe('Two installations in one Temporal namespace', function () {
  this.timeout(120_000)
  let services: TestService[]
  let connection: Connection

  before(async () => {
    services = await Promise.all([startTestService(), startTestService()])
    connection = await Connection.connect({ address: services[0]?.env.TEMPORAL_ADDRESS ?? '' })
  })
  after(async () => {
    await Promise.all(services.map((service) => service.stop()))
    await connection.close()
  })

  const batchOf = async (service: TestService, id: string) => (await service.request('GET', `/api/batches/${id}`)).body
  const submit = async (service: TestService, batch_id: string): Promise<string[]> => {
    const tasks = [{ gate: batch_id }, { gate: batch_id }]
    const { body } = await service.request('POST', '/api/agents/gated/batch', { tasks, batch_id })
    for (const id of body.job_ids) {
      await eventually(
        () => service.counted(id),
        (lines) => lines.length === 1,
      )
    }
    return body.job_ids
  }
  const untilBatch = (service: TestService, id: string, status: string) =>
    eventually(
      () => batchOf(service, id),
      (batch) => batch.status === status && batch.completed_at !== null,
    )

  it('run batches of the same id, each its own', async () => {
    await Promise.all(services.map((service) => submit(service, 'daily')))
    const temporal = new Client({ connection, namespace: services[0]?.env.TEMPORAL_NAMESPACE ?? '' })
    for (const { env } of services) {
      const { status } = await temporal.workflow.getHandle(workflowId(env.MONGODB_DATABASE ?? '', 'daily')).describe()
      expect(status.name).to.equal('RUNNING')
    }
    for (const service of services) await service.open('daily')
    for (const service of services) {
      const { outputs } = await untilBatch(service, 'daily', 'completed')
      expect(outputs.summary).to.deep.equal({ total_expected: 2, recorded: 2, succeeded: 2, failed: 0 })
    }
  })

  it('cancel batches of the same id, each its own', async () => {
    const [one, other] = services as [TestService, TestService]
    await Promise.all(services.map((service) => submit(service, 'weekly')))
    await one.request('POST', '/api/batches/weekly/cancel')
    await untilBatch(one, 'weekly', 'canceled')
    expect(await batchOf(other, 'weekly')).to.include({ status: 'running', completed_at: null })
    await other.open('weekly')
    const { outputs } = await untilBatch(other, 'weekly', 'completed')
    expect(outputs.summary).to.include({ succeeded: 2, failed: 0 })
  })
})

describe('An agent that two pools hosted, of which one has stopped', function () {
  this.timeout(120_000)
  let service: TestService

  before(async () => {
    service = await startTestService()
    // Later than the other, and first by its name.
    const second = await startWorker({ env: service.env, pool: 'a' })
    await second.stop()
  })
  after(() => service.stop())

  it('is run at once in the other, as a prompt, in a chain, in a batch and as an agent that code calls', async () => {
    const submit = async (body: object): Promise<string> =>
      (await service.request('POST', '/api/prompts', { inputs: { text: 'x' }, ...body })).body.prompt_id
    const ids = await Promise.all([
      submit({ prompt_name: 'instant' }),
      submit({ prompt_name: 'instant', mode: 'sequential', agents: ['instant', 'upper', 'surround'] }),
      submit({ prompt_name: 'caller', inputs: { agents: ['upper', 'asked'] } }),
    ])
    for (const id of ids) {
      const { body } = await untilEnded(service, id, AT_ONCE_MS)
      expect(body.status, JSON.stringify(body)).to.equal('completed')
    }
    const { body } = await service.request('POST', '/api/agents/instant/batch', { tasks: [{}, {}] })
    await eventually(
      () => service.request('GET', `/api/batches/${body.batch_id}`),
      (batch) => batch.body.status === 'completed',
      AT_ONCE_MS,
    )
    const { agents } = (await service.request('GET', '/api/agents')).body
    expect(agents.find(({ name }: { name: string }) => name === 'instant').status).to.equal('active')
  })
})
