import { expect } from 'chai'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'

const PAUSE_S = 25

describe('The pause that a provider asks for', function () {
  this.timeout(180_000)
  let provider: ProviderServer
  let service: TestService

  before(async () => {
    const refused = new Set<string>()
    provider = await startProviderServer(({ body }) => {
      const query = String(body.messages.find(({ role }) => role === 'user')?.content)
      if (refused.has(query)) return { text: 'let in' }
      refused.add(query)
      return { status: 429, headers: { 'retry-after': String(PAUSE_S) } }
    })
    service = await startTestService({
      env: { OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_API_KEY: 'test-key' },
    })
  })
  after(async () => {
    await service.stop()
    await provider.close()
  })

  const stopped = async (): Promise<void> => {
    process.kill(service.worker.pid as number, 'SIGTERM')
    await eventually(
      async () => service.worker.pid,
      (pid) => pid === undefined,
      60_000,
    )
  }

  for (const [how, end] of [
    ['is killed', () => service.worker.kill9()],
    ['is stopped', () => stopped()],
  ] as const) {
    it(`is kept by the next worker when the one that heard it ${how}`, async () => {
      const inputs = { query: `the worker ${how}` }
      const { body: submitted } = await service.request('POST', '/api/prompts', { prompt_name: 'provider', inputs })
      const id = submitted.prompt_id as string
      await eventually(
        () => service.store.traces.countDocuments({ job_id: id, event_type: 'error' }),
        (failures) => failures === 1,
      )
      await end()
      await service.worker.restart()
      const { body } = await untilEnded(service, id, 120_000)
      expect(body).to.deep.include({ status: 'completed', outputs: { result: 'let in' } })
      const asked = provider.requests.filter(({ body: { messages } }) =>
        messages.some(({ content }) => content === inputs.query),
      )
      expect(asked).to.have.length(2)
      const [first, second] = asked.map(({ at }) => at.getTime()) as [number, number]
      expect(second - first).to.be.at.least(PAUSE_S * 1_000)
    })
  }
})
