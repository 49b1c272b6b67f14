import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { workflowId } from '../../core/queues.ts'
import { startWorker, type ServiceProcess } from '../support/processes.ts'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { startStack, type PrivateStack } from '../support/stack.ts'
import { connectTemporal } from '../support/temporal.ts'
import { FAULT_AGENTS } from './scene.ts'
import { freeze, thaw } from './worker-state.ts'

/** Twice the time after which Temporal takes a silent worker for dead. */
const AWAY_MS = 20_000
/** A dead worker is noticed within ten seconds, and its runs go on soon after; the rest is time for a busy machine. */
const GONE_ON_WITHIN_MS = 60_000
/** Functions of plain code that a worker runs at once for batches; as activities/run-tasks.ts has it. */
const MAX_FUNCTIONS_AT_ONCE = 256
/** Plain code and a tool, each of which ends when its gate opens. */
const AGENTS = ['patient', 'tool-patient']

const submit = async (service: TestService, prompt_name: string, inputs: object = {}): Promise<string> =>
  (await service.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id

const begun = (service: TestService, id: string, times: number, withinMs = 30_000) =>
  eventually(
    () => service.counted(id),
    (lines) => lines.length >= times,
    withinMs,
  )

const untilCompleted = (service: TestService, batchId: string) =>
  eventually(
    () => service.request('GET', `/api/batches/${batchId}?results=false`),
    ({ body }) => body.status === 'completed',
    GONE_ON_WITHIN_MS,
  )

async function expectDone(service: TestService, id: string, begins: number): Promise<void> {
  const { body } = await untilEnded(service, id)
  expect(body.status, JSON.stringify(body)).to.equal('completed')
  expect(await service.counted(id), id).to.deep.equal(Array<string>(begins).fill('begin'))
}

describe('A run whose worker is alive', function () {
  this.timeout(180_000)

  describe('while the worker cannot reach Temporal', () => {
    let service: TestService
    let provider: ProviderServer
    let proxy: Proxy
    let cutOff: ServiceProcess | undefined
    let other: ServiceProcess | undefined
    let connection: Connection
    const answer = Promise.withResolvers<void>()

    before(async () => {
      provider = await startProviderServer(() => answer.promise.then(() => ({ text: 'answered' })))
      const env = { OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_API_KEY: 'test-key' }
      service = await startTestService({ agentsDir: FAULT_AGENTS, env })
      await service.worker.stop()
      proxy = await startProxy(Number((service.env.TEMPORAL_ADDRESS ?? '').split(':')[1]))
      cutOff = await startWorker({ env: { ...service.env, TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}` } })
      connection = await Connection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' })
    })
    after(async () => {
      proxy.mend()
      await cutOff?.stop()
      await other?.stop()
      await service.stop()
      await provider.close()
      await proxy.close()
      await connection.close()
    })

    it('starts once; another worker that gets the second attempt waits', async () => {
      const temporal = new Client({ connection, namespace: service.env.TEMPORAL_NAMESPACE ?? '' })
      const ids = await Promise.all(AGENTS.map((agent) => submit(service, agent)))
      const asking = await submit(service, 'provider', { query: 'once' })
      await Promise.all([...ids.map((id) => begun(service, id, 1)), provider.request(0)])
      other = await startWorker({ env: service.env })
      proxy.cut()
      for (const id of [...ids, asking]) {
        await eventually(
          async () => {
            const workflow = workflowId(service.env.MONGODB_DATABASE ?? '', id)
            const { raw } = await temporal.workflow.getHandle(workflow).describe()
            return raw.pendingActivities?.[0]
          },
          (activity) => (activity?.attempt ?? 0) > 1 && activity?.lastStartedTime != null,
          GONE_ON_WITHIN_MS,
        )
      }
      // By now the second worker would have begun what it took for abandoned.
      await sleep(AWAY_MS / 2)
      for (const id of ids) expect(await service.counted(id)).to.deep.equal(['begin'])
      proxy.mend()
      answer.resolve()
      for (const id of ids) {
        await service.open(id)
        await expectDone(service, id, 1)
      }
      expect((await untilEnded(service, asking)).body).to.deep.include({ outputs: { result: 'answered' } })
      expect(provider.requests).to.have.length(1)
    })

    it('occupies no slot of the worker that waits for it', async () => {
      await other?.stop()
      const gate = randomUUID()
      const tasks = Array.from({ length: MAX_FUNCTIONS_AT_ONCE }, () => ({ gate }))
      const held = (await service.request('POST', '/api/agents/side-by-side/batch', { tasks })).body.batch_id
      await begun(service, gate, MAX_FUNCTIONS_AT_ONCE)
      other = await startWorker({ env: service.env })
      const { handleOf, close } = await connectTemporal(service.env)
      proxy.cut()
      await eventually(
        async () => (await handleOf(held).describe()).raw.pendingActivities ?? [],
        (ranges) =>
          ranges.length > 0 && ranges.every((range) => (range.attempt ?? 0) > 1 && range.lastStartedTime != null),
        GONE_ON_WITHIN_MS,
      )
      const quick = (await service.request('POST', '/api/agents/instant/batch', { tasks: [{}] })).body.batch_id
      await untilCompleted(service, quick)
      proxy.mend()
      await service.open(gate)
      await untilCompleted(service, held)
      expect(await service.counted(gate)).to.have.length(MAX_FUNCTIONS_AT_ONCE)
      await close()
    })
  })

  describe('while Temporal is away', () => {
    let stack: PrivateStack
    let service: TestService

    before(async () => {
      stack = await startStack()
      service = await startTestService({ stack: stack.env, agentsDir: FAULT_AGENTS })
    })
    after(async () => {
      await service.stop()
      await stack.stop()
    })

    it('continues, and is not restarted when Temporal is back', async () => {
      const ids = await Promise.all(AGENTS.map((agent) => submit(service, agent)))
      await Promise.all(ids.map((id) => begun(service, id, 1)))
      await stack.servers.temporal.kill()
      await sleep(AWAY_MS)
      await stack.servers.temporal.restart()
      // One that Temporal gives to the worker after its return says that Temporal has judged the others.
      const later = await submit(service, 'instant')
      expect((await untilEnded(service, later)).body.status).to.equal('completed')
      await Promise.all(ids.map((id) => service.open(id)))
      for (const id of ids) await expectDone(service, id, 1)
    })
  })
})

describe('A run whose worker is frozen or dead', function () {
  this.timeout(180_000)
  let service: TestService
  let other: ServiceProcess | undefined

  before(async () => {
    service = await startTestService({ agentsDir: FAULT_AGENTS })
  })
  after(async () => {
    await other?.stop()
    await service.stop()
  })

  it('stays with a worker that resumes after a few seconds', async () => {
    const ids = await Promise.all(AGENTS.map((agent) => submit(service, agent)))
    await Promise.all(ids.map((id) => begun(service, id, 1)))
    other = await startWorker({ env: service.env })
    freeze(service.worker)
    await sleep(4_000)
    await thaw(service, service.worker)
    for (const id of ids) {
      await service.open(id)
      await expectDone(service, id, 1)
    }
  })

  it('continues in another worker soon after its own was killed', async () => {
    await other?.kill9()
    const ids = await Promise.all(AGENTS.map((agent) => submit(service, agent)))
    await Promise.all(ids.map((id) => begun(service, id, 1)))
    if (other === undefined) other = await startWorker({ env: service.env })
    else await other.restart()
    await service.worker.kill9()
    await Promise.all(ids.map((id) => begun(service, id, 2, GONE_ON_WITHIN_MS)))
    await Promise.all(ids.map((id) => service.open(id)))
    for (const id of ids) await expectDone(service, id, 2)
  })
})
