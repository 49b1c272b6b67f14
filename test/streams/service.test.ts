import { expect } from 'chai'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { eventually, startTestService, type TestService } from '../support/service.ts'
import { Client } from './client.ts'

describe('the streams of a running service', function () {
  this.timeout(120_000)
  let service: TestService
  const clients: Client[] = []

  const connect = (path: string): Client => {
    const client = new Client(service.api.wsUrl + path)
    clients.push(client)
    return client
  }
  const post = async (path: string, body: object = {}): Promise<Record<string, unknown>> => {
    const answer = await service.request('POST', path, body)
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
    return answer.body
  }

  before(async () => {
    service = await startTestService()
  })
  after(async () => {
    for (const client of clients) client.leave()
    await service.stop()
  })

  it('show a prompt from its start to its end, and the events of the system beside it', async () => {
    const events = connect('/ws/events')
    await events.opened()
    const { prompt_id: id } = await post('/api/prompts', { prompt_name: 'delegator', inputs: { text: 'abc' } })
    const client = connect(`/ws/prompts/${id}`)
    const complete = await client.complete()
    expect(complete).to.include({ status: 'completed', error: null })
    const { body } = await service.request('GET', `/api/traces?job_id=${id}&limit=1000`)
    const ids = body.traces.map((trace: { id: number }) => trace.id)
    expect(client.spans.map((span) => span.id)).to.deep.equal(ids)
    expect(client.spans.at(0)?.event_type).to.equal('task_start')
    expect(client.spans.at(-1)?.event_type).to.equal('task_complete')
    expect(complete.spans).to.have.length(1)
    const delegation = complete.spans[0]?.children.find(({ event_type }) => event_type === 'delegation')
    expect(delegation?.children.map(({ event_type }) => event_type)).to.include('task_start')
    const { body: prompt } = await service.request('GET', `/api/prompts/${id}`)
    expect(complete.outputs).to.deep.equal(prompt.outputs)
    await events.until((own) => own.events.some((one) => one.id === ids.at(-1)))
    expect(events.events.filter(({ job_id }) => job_id === id).map((one) => one.id)).to.deep.equal(ids)
  })

  it('are logged when they open, under the request id that their client was told', async () => {
    const { socket } = connect('/ws/events')
    const [response] = (await once(socket, 'upgrade')) as [IncomingMessage]
    const id = String(response.headers['x-request-id'])
    const logs = await eventually(
      () => service.api.logs(),
      (text) => text.includes(id),
    )
    const line = logs.split('\n').find((one) => one.includes(id))
    expect(JSON.parse(line ?? '')).to.include({ msg: 'stream opened', requestId: id, path: '/ws/events' })
  })

  it('show a cancel, and complete once the run has stopped', async () => {
    const { prompt_id: id } = await post('/api/prompts', { prompt_name: 'slow', inputs: { ms: 60_000 } })
    const client = connect(`/ws/prompts/${id}`)
    await client.until(({ spans }) => spans.some(({ event_type }) => event_type === 'task_start'))
    await post(`/api/prompts/${id}/cancel`)
    const complete = await client.complete()
    expect(complete).to.deep.include({ status: 'canceled', outputs: {} })
    expect(client.spans.map(({ event_type }) => event_type)).to.include('task_cancel_requested')
    expect(client.messages.at(-1)?.type).to.equal('complete')
  })

  it('show a batch, and its revival', async () => {
    const tasks = [{ n: 1 }, { n: 2 }, { n: 3 }]
    const { batch_id: id, job_ids: jobs } = await post('/api/agents/instant/batch', { tasks })
    const client = connect(`/ws/batches/${id}`)
    const complete = await client.complete()
    expect(complete.status).to.equal('completed')
    const { body: batch } = await service.request('GET', `/api/batches/${id}`)
    expect(complete.outputs).to.deep.equal(batch.outputs)
    expect(complete.spans.map(({ metadata }) => metadata.job_id)).to.have.members(jobs as string[])
    await post(`/api/batches/${id}/add-tasks`, { agent_name: 'instant', tasks: [{ n: 4 }] })
    const second = await client.complete(2)
    expect(second.outputs.summary).to.deep.equal({ total_expected: 4, recorded: 4, succeeded: 4, failed: 0 })
    expect(new Set(client.spans.map((span) => span.id)).size).to.equal(client.spans.length)
    expect(second.spans).to.have.length(4)
  })

  it('have no hole and no double for a client that comes back after the API was killed', async () => {
    const inputs = { steps: 40, calls: 2 }
    const { prompt_id: id } = await post('/api/prompts', { prompt_name: 'many-tools', inputs })
    const before = connect(`/ws/prompts/${id}`)
    await before.until(({ spans }) => spans.length > 10)
    await service.api.kill9()
    await before.closed
    await service.api.restart()
    const last = before.spans.at(-1)?.id ?? 0
    const after = connect(`/ws/prompts/${id}?after=${last}`)
    expect((await after.complete()).status).to.equal('completed')
    const seen = [...before.spans, ...after.spans].map((span) => span.id)
    const stored = await service.store.traces
      .find({ job_id: id as string })
      .sort({ _id: 1 })
      .toArray()
    expect(seen).to.deep.equal(stored.map(({ _id }) => _id))
  })

  it('end with 1001 when the API shuts down', async () => {
    const { prompt_id: id } = await post('/api/prompts', { prompt_name: 'instant', inputs: { a: 1 } })
    const client = connect(`/ws/prompts/${id}`)
    await client.complete()
    const { pid } = service.api
    process.kill(pid as number, 'SIGTERM')
    expect((await client.closed).code).to.equal(1001)
  })
})
