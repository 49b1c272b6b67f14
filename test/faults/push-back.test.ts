import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { workflowId } from '../../core/queues.ts'
import { startProviderServer, type ProviderServer, type ScriptedAnswer } from '../support/provider-server.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'

const AWAY_MS = 65_000
const PROMPTS = 200
const TASKS = 500
const REQUESTS_A_SECOND = 10
const LIMITED_TASKS = 120

/** A bucket that holds one second's worth of requests. */
function tokenBucket(perSecond: number): () => boolean {
  let left = perSecond
  let filledAt = Date.now()
  return () => {
    const now = Date.now()
    left = Math.min(perSecond, left + ((now - filledAt) * perSecond) / 1_000)
    filledAt = now
    if (left < 1) return false
    left -= 1
    return true
  }
}

describe('A provider that rejects calls', function () {
  this.timeout(240_000)
  let provider: ProviderServer
  let service: TestService
  let connection: Connection
  let temporal: Client
  /** The outage takes long: it begins before the other tests, which ask for something else, and is looked at after them. */
  let away: { prompts: string[]; batch: string }
  let isAwayUntil = 0
  const awayRequests: number[] = []

  const mayPass = tokenBucket(REQUESTS_A_SECOND)
  const ANSWERS: Record<string, () => ScriptedAnswer> = {
    away: () => (Date.now() < isAwayUntil ? { status: 503 } : { text: 'back' }),
    limited: () => (mayPass() ? { text: 'let in' } : { status: 429, headers: { 'retry-after': '1' } }),
    'for two minutes': () => ({ status: 429, headers: { 'retry-after': '120' } }),
    malformed: () => ({ raw: '{"nothing": "of use"' }),
    unauthorized: () => ({ status: 401 }),
  }

  before(async () => {
    provider = await startProviderServer(({ body }) => {
      const query = String(body.messages.find(({ role }) => role === 'user')?.content)
      if (query === 'away') awayRequests.push(Date.now())
      return ANSWERS[query]?.() ?? { status: 400, message: 'The test has no such answer' }
    })
    service = await startTestService({
      env: { OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_API_KEY: 'test-key' },
    })
    connection = await Connection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' })
    temporal = new Client({ connection, namespace: service.env.TEMPORAL_NAMESPACE ?? '' })
    isAwayUntil = Date.now() + AWAY_MS
    const prompts = await Promise.all(Array.from({ length: PROMPTS }, () => submit('away', 'provider-away')))
    away = { prompts, batch: await submitBatch('away', TASKS, 'provider-away') }
  })
  after(async () => {
    await service.stop()
    await provider.close()
    await connection.close()
  })

  const submit = async (query: string, agent = 'provider'): Promise<string> =>
    (await service.request('POST', '/api/prompts', { prompt_name: agent, inputs: { query } })).body.prompt_id
  const submitBatch = async (query: string, count: number, agent = 'provider'): Promise<string> => {
    const tasks = Array.from({ length: count }, () => ({ query }))
    return (await service.request('POST', `/api/agents/${agent}/batch`, { tasks })).body.batch_id
  }
  const summaryOf = async (id: string) => {
    const { body } = await eventually(
      () => service.request('GET', `/api/batches/${id}?results=false`),
      (batch) => batch.body.status === 'completed',
      180_000,
    )
    return body.outputs.summary
  }
  const requestsFor = (query: string) =>
    provider.requests.filter(({ body }) => body.messages.some(({ content }) => content === query)).length
  const handleOf = (id: string) => temporal.workflow.getHandle(workflowId(service.env.MONGODB_DATABASE ?? '', id))

  it('with a wrong key fails the run at once', async () => {
    const { body } = await untilEnded(service, await submit('unauthorized'))
    expect(body.status).to.equal('failed')
    expect(body.error).to.contain('401')
    expect(requestsFor('unauthorized')).to.equal(1)
  })

  it('for two minutes makes only the workflow wait, which a cancel ends at once', async () => {
    const id = await submit('for two minutes', 'provider-patient')
    await eventually(
      async () => {
        const { raw } = await handleOf(id).describe()
        return (raw.pendingActivities?.length ?? 0) + (raw.pendingWorkflowTask == null ? 0 : 1)
      },
      (pending) => pending === 0 && requestsFor('for two minutes') > 0,
    )
    const { events } = await handleOf(id).fetchHistory()
    const timer = events?.find(({ timerStartedEventAttributes }) => timerStartedEventAttributes != null)
    expect(Number(timer?.timerStartedEventAttributes?.startToFireTimeout?.seconds)).to.be.at.least(110)
    expect(Buffer.from(timer?.userMetadata?.summary?.data ?? []).toString()).to.contain('openai-compatible')
    await service.request('POST', `/api/prompts/${id}/cancel`)
    expect((await untilEnded(service, id, 10_000)).body.status).to.equal('canceled')
    expect(requestsFor('for two minutes')).to.equal(1)
  })

  it('at ten requests a second lets every task of a batch succeed', async () => {
    const id = await submitBatch('limited', LIMITED_TASKS)
    expect(await summaryOf(id)).to.include({ succeeded: LIMITED_TASKS, failed: 0 })
  })

  it('with malformed responses fails the run after six attempts', async () => {
    const { body } = await untilEnded(service, await submit('malformed'))
    expect(body.status).to.equal('failed')
    expect(requestsFor('malformed')).to.equal(6)
  })

  it('for more than a minute delays prompts and a batch, fails none, and gets one call at a time', async () => {
    expect(requestsFor('away')).to.be.below(PROMPTS + TASKS + 300)
    for (const id of away.prompts) {
      const { body } = await untilEnded(service, id, 180_000)
      expect(body).to.deep.include({ status: 'completed', outputs: { result: 'back' } })
    }
    expect(await summaryOf(away.batch)).to.include({ succeeded: TASKS, failed: 0 })
    // All that had begun when it went away, and then a probe now and then.
    const late = awayRequests.filter((at) => at > isAwayUntil - AWAY_MS + 30_000 && at < isAwayUntil)
    expect(late.length).to.be.within(1, 40)
    const waited = { job_id: { $in: away.prompts }, event_type: 'error' as const }
    expect(await service.store.traces.countDocuments(waited)).to.be.below(PROMPTS * 2)
  })
})
