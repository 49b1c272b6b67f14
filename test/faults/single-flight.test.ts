import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { freezeWhole } from '../support/freeze.ts'
import { startProviderServer, type ProviderServer, type ScriptedAnswer } from '../support/provider-server.ts'
import { startWorker, type ServiceProcess } from '../support/processes.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'

const TASKS = 1_000

describe('Equal model calls of several workers', function () {
  this.timeout(240_000)
  let service: TestService
  let provider: ProviderServer
  let second: ServiceProcess
  let respond: (index: number) => ScriptedAnswer

  before(async () => {
    provider = await startProviderServer((_request, index) => respond(index))
    const env = { OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_API_KEY: 'test-key' }
    const agentsDir = fileURLToPath(new URL('../contract/agents', import.meta.url))
    service = await startTestService({ agentsDir, env })
    second = await startWorker({ env: service.env })
  })
  after(async () => {
    await second.stop()
    await service.stop()
    await provider.close()
  })

  it(`are paid once: ${TASKS} tasks, one call`, async () => {
    respond = () => ({ text: 'once', firstTokenMs: 1_500 })
    const before = provider.requests.length
    const tasks = Array.from({ length: TASKS }, () => ({ query: 'the same' }))
    const { body } = await service.request('POST', '/api/agents/keeper/batch', { tasks })
    const path = `/api/batches/${body.batch_id}?results=false&inputs=false&ids=false`
    const ended = await eventually(
      () => service.request('GET', path),
      (answer) => answer.body.status === 'completed',
      180_000,
    )
    expect(ended.body.outputs.summary).to.include({ succeeded: TASKS, failed: 0 })
    expect(provider.requests.length - before).to.equal(1)
    const batch_id = body.batch_id as string
    const events = (event_type: string) => service.store.traces.countDocuments({ batch_id, event_type } as object)
    expect([await events('llm_usage'), await events('cache_hit')]).to.deep.equal([1, TASKS - 1])
  })

  /** Prompts that ask the same, in both workers, while the first of them is being answered; and the worker that has that one. */
  async function askInBoth(query: string, first: number) {
    const submit = async () => {
      const { body } = await service.request('POST', '/api/prompts', { prompt_name: 'keeper', inputs: { query } })
      return body.prompt_id as string
    }
    const workerOf = async (id: string) => {
      const start = { job_id: id, event_type: 'task_start' } as const
      const found = await eventually(
        () => service.store.traces.findOne(start),
        (event) => event !== null,
        60_000,
      )
      return Number.parseInt((JSON.parse(found?.payload ?? '{}') as { worker: string }).worker, 10)
    }
    const ids = [await submit()]
    await provider.request(first)
    const holder = await workerOf(ids[0] ?? '')
    for (let other = holder; other === holder;) {
      const id = await submit()
      ids.push(id)
      other = await workerOf(id)
    }
    return { ids, holder: second.pid === holder ? second : service.worker }
  }

  it('continue within seconds when the worker that makes the call dies', async () => {
    const first = provider.requests.length
    respond = (index) => (index === first ? { hang: true } : { text: 'after all' })
    const { ids, holder: dying } = await askInBoth(randomUUID(), first)
    await dying.kill9()
    const killedAt = Date.now()
    const next = await provider.request(first + 1)
    expect(next.at.getTime() - killedAt).to.be.below(20_000)
    for (const id of ids) {
      const { body } = await untilEnded(service, id, 120_000)
      expect(body).to.deep.include({ status: 'completed', outputs: { result: 'after all' } })
    }
    expect(provider.requests.length - first).to.equal(2)
    await dying.restart()
  })

  it('continue within seconds when the worker that makes the call freezes, and have the same result when it resumes', async () => {
    const first = provider.requests.length
    respond = (index) => (index === first ? { text: 'too late', firstTokenMs: 15_000 } : { text: 'in time' })
    const query = randomUUID()
    const { ids, holder } = await askInBoth(query, first)
    await freezeWhole(holder.pid as number)
    const frozenAt = Date.now()
    const next = await provider.request(first + 1)
    expect(next.at.getTime() - frozenAt).to.be.below(20_000)
    const others = ids.slice(1)
    for (const id of others) {
      const { body } = await untilEnded(service, id, 120_000)
      expect(body.outputs).to.deep.equal({ result: 'in time' })
    }
    process.kill(holder.pid as number, 'SIGCONT')
    const { body } = await untilEnded(service, ids[0] ?? '', 120_000)
    expect(body.status, JSON.stringify(body.outputs)).to.equal('completed')
    await eventually(
      () => service.store.cache.countDocuments({ lease: { $exists: true } }),
      (leases) => leases === 0,
    )
    const { body: later } = await service.request('POST', '/api/prompts', { prompt_name: 'keeper', inputs: { query } })
    expect((await untilEnded(service, later.prompt_id)).body).to.include({ status: 'completed' })
    expect(provider.requests.length - first, 'the cache has an answer').to.equal(2)
  })
})
