import { expect } from 'chai'
import { startProviderServer, type ProviderServer, type ScriptedAnswer } from '../support/provider-server.ts'
import { eventually, startTestService, type TestService } from '../support/service.ts'
import { connectTemporal } from '../support/temporal.ts'

/** More than a worker runs at once. */
const THROTTLED = 1_600
const QUICK = 40
/** More than a minute, which a prompt spends at its workflow's timer. */
const RETRY_AFTER_S = 100
const PAUSED = 30

describe('A batch whose provider account is held up', function () {
  this.timeout(240_000)
  let provider: ProviderServer
  let service: TestService
  let isFull = true

  before(async () => {
    provider = await startProviderServer(({ body }): ScriptedAnswer => {
      if (body.model !== 'patient') return { hang: true }
      return isFull ? { status: 429, headers: { 'retry-after': String(RETRY_AFTER_S) } } : { text: 'let in' }
    })
    const LIMITS = JSON.stringify({ 'openai-compatible/test-model': { concurrent: 3 } })
    service = await startTestService({ env: { LIMITS, OPENAI_COMPATIBLE_BASE_URL: provider.url } })
  })
  after(async () => {
    await service.stop()
    await provider.close()
  })

  const submit = async (agent: string, tasks: object[]): Promise<string> =>
    (await service.request('POST', `/api/agents/${agent}/batch`, { tasks })).body.batch_id
  const untilStatus = (id: string, status: string, withinMs: number) =>
    eventually(
      () => service.request('GET', `/api/batches/${id}?results=false`),
      ({ body }) => body.status === status && body.completed_at !== null,
      withinMs,
    )

  it('leaves its worker’s places to other batches while it waits, and hears a cancel', async () => {
    const tasks = Array.from({ length: THROTTLED }, (_, index) => ({ query: `task ${index}` }))
    const held = await submit('provider', tasks)
    await eventually(
      () => service.request('GET', '/api/limits'),
      ({ body }) => body.accounts.some(({ waiting }: { waiting: { task: number } }) => waiting.task > 900),
      60_000,
    )
    const quick = await submit(
      'reckoner',
      Array.from({ length: QUICK }, (_, n) => ({ n })),
    )
    const { body } = await untilStatus(quick, 'completed', 60_000)
    expect(body.outputs.summary).to.include({ succeeded: QUICK, failed: 0 })
    expect(provider.requests).to.have.length(3)
    // What waits makes no event but its start, and no more of it begins than can be of use.
    const begun = await service.store.executions.countDocuments({ batch_id: held, started_at: { $exists: true } })
    expect(begun).to.be.within(900, 1_300)
    expect(await service.store.traces.countDocuments({ batch_id: held })).to.equal(begun)
    await service.request('POST', `/api/batches/${held}/cancel`)
    await untilStatus(held, 'canceled', 120_000)
  })

  it('waits in its ranges as long as the provider asks, also when the worker dies meanwhile, and takes no more history', async () => {
    const tasks = Array.from({ length: PAUSED }, (_, index) => ({ query: `pause ${index}` }))
    const id = await submit('provider-patient', tasks)
    const asked = () => provider.requests.filter(({ body }) => body.model === 'patient')
    const failures = () => service.store.traces.countDocuments({ batch_id: id, event_type: 'error' })
    await eventually(failures, (count) => count > 0 && count === asked().length, 60_000)
    isFull = false
    await service.worker.kill9()
    const killedAt = Date.now()
    await service.worker.restart()
    const { body } = await untilStatus(id, 'completed', 200_000)
    expect(body.outputs.summary).to.include({ succeeded: PAUSED, failed: 0 })
    const times = asked().map(({ at }) => at.getTime())
    expect(times.filter((at) => at > killedAt && at < (times[0] ?? 0) + RETRY_AFTER_S * 1_000)).to.deep.equal([])
    const temporal = await connectTemporal(service.env)
    const { historyLength } = await temporal.handleOf(id).describe()
    const ids: string[] = body.task_ids
    const own = await Promise.allSettled(ids.map((task) => temporal.handleOf(task).describe()))
    await temporal.close()
    // None went on under a workflow of its own.
    expect(own.map(({ status }) => status)).to.deep.equal(ids.map(() => 'rejected'))
    // Each signal of freed tasks may wake the workflow by itself: how many come together is chance.
    expect(historyLength).to.be.below(30 + PAUSED)
  })
})
