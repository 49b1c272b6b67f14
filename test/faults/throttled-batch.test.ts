import { expect } from 'chai'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'
import { eventually, startTestService, type TestService } from '../support/service.ts'

/** More than a worker runs at once. */
const THROTTLED = 1_600
const QUICK = 40

describe('A batch whose provider account is held up', function () {
  this.timeout(240_000)
  let provider: ProviderServer
  let service: TestService

  before(async () => {
    provider = await startProviderServer(() => ({ hang: true }))
    const LIMITS = JSON.stringify({ 'openai-compatible': { concurrent: 3 } })
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
})
