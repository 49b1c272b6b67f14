import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWorker } from '../support/processes.ts'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { FAULT_AGENTS } from './scene.ts'

describe('A cancel', function () {
  this.timeout(180_000)
  let service: TestService
  let provider: ProviderServer

  before(async () => {
    provider = await startProviderServer([
      { toolCalls: [{ name: 'double', arguments: { n: 1 } }] },
      { hang: true },
      { text: 'What is told slowly takes its time. '.repeat(20), breaks: { after: 3, by: 'hang' } },
    ])
    service = await startTestService({
      agentsDir: FAULT_AGENTS,
      env: { OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_API_KEY: 'test-key' },
    })
  })
  after(async () => {
    await service.stop()
    await provider.close()
  })

  const submit = async (prompt_name: string, inputs: object): Promise<string> =>
    (await service.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id
  const cancel = async (id: string) => (await service.request('POST', `/api/prompts/${id}/cancel`)).body
  const statusOf = async (id: string): Promise<string> =>
    (await service.request('GET', `/api/prompts/${id}`)).body.status
  const counts = (id: string, word: string, times: number) =>
    eventually(
      () => service.counted(id),
      (lines) => lines.filter((line) => line.startsWith(word)).length === times,
    )
  const typesOf = async (id: string): Promise<string[]> =>
    (await service.store.traces.find({ job_id: id }).sort({ _id: 1 }).toArray()).map(({ event_type }) => event_type)

  it('closes the connection to the provider, keeps the token usage, and is final', async () => {
    const id = await submit('provider', { query: 'hang' })
    const second = await provider.request(1)
    expect(await cancel(id)).to.deep.equal({ ok: true, prompt_id: id, status: 'canceled' })
    expect(await statusOf(id)).to.equal('canceled')
    await second.closed
    const { body } = await untilEnded(service, id)
    expect(body).to.deep.include({ status: 'canceled', outputs: null, error: null })
    expect(body.token_usage).to.include({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 })
    expect(provider.requests).to.have.length(2)
    const types = await typesOf(id)
    const before = ['task_start', 'llm_usage', 'tool_call', 'task_cancel_requested']
    // Nothing had come of the second call: what it has used nobody knows, and that is said.
    expect(types).to.deep.equal([...before, 'llm_usage', 'task_complete'])
    const [, usage] = await service.store.traces
      .find({ job_id: id, event_type: 'llm_usage' })
      .sort({ _id: 1 })
      .toArray()
    expect(JSON.parse(usage?.payload ?? '{}')).to.include({ failed: 'aborted', usage: 'unknown', total_tokens: 0 })
    expect(await cancel(id)).to.deep.equal({ ok: true, prompt_id: id, status: 'canceled' })
  })

  it('that arrives before an activity follows the run keeps the usage of the aborted call', async () => {
    const id = await submit('provider', { query: 'tell slowly' })
    await provider.request(2)
    // The first words have come, and what begins beside its workflow is not followed by an activity yet.
    await sleep(60)
    expect(await cancel(id)).to.include({ ok: true, status: 'canceled' })
    const { body } = await untilEnded(service, id)
    expect(await typesOf(id)).to.include('llm_usage')
    expect(body.token_usage.total_tokens).to.be.above(0)
  })

  it('reaches agents that were delegated to, in plain code and inside a tool', async () => {
    const id = await submit('parent', {})
    await counts(id, 'begin', 2)
    expect(await cancel(id)).to.include({ ok: true })
    await counts(id, 'aborted', 2)
    const { body } = await untilEnded(service, id)
    expect(body.token_usage).to.include({ prompt_tokens: 18, completion_tokens: 7 })
  })

  it('reaches an agent that code called, and the workflow', async () => {
    const id = await submit('boss', { agent: 'slow', inputs: { ms: 600_000 } })
    await counts(id, 'begin', 1)
    expect(await cancel(id)).to.include({ ok: true })
    await counts(id, 'aborted', 1)
    expect((await untilEnded(service, id)).body.status).to.equal('canceled')
    const connection = await Connection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' })
    const temporal = new Client({ connection, namespace: service.env.TEMPORAL_NAMESPACE ?? '' })
    await eventually(
      () => temporal.workflow.getHandle(`${service.env.MONGODB_DATABASE}/${id}`).describe(),
      ({ status }) => status.name !== 'RUNNING',
    )
    await connection.close()
  })

  it('that races with the end of a run never changes a reported status, in a hundred tries', async () => {
    const race = async (index: number): Promise<{ ok: boolean; status: string }> => {
      const id = await submit('slow', { ms: 10 })
      await sleep(index % 25)
      const said = await cancel(id)
      expect(said.status).to.equal(said.ok ? 'canceled' : 'completed')
      expect(await statusOf(id)).to.equal(said.status)
      const { body } = await untilEnded(service, id)
      expect(body.status).to.equal(said.status)
      expect(body.completed_at).to.be.a('string')
      const types = await typesOf(id)
      expect(types.filter((type) => type === 'task_complete').length).to.equal(
        types.filter((type) => type === 'task_start').length,
      )
      return said
    }
    const outcomes: { ok: boolean }[] = []
    for (let index = 0; index < 100; index += 10) {
      outcomes.push(...(await Promise.all(Array.from({ length: 10 }, (_, each) => race(index + each)))))
    }
    expect(outcomes).to.have.length(100)
  })

  it('of single tasks while they end keeps the summary of the batch exact and leaves no task open', async () => {
    const tasks = Array.from({ length: 60 }, (_, index) => ({ ms: 20 * (index % 10) }))
    const { body } = await service.request('POST', '/api/agents/slow/batch', { tasks })
    const ids: string[] = body.job_ids
    const said = await Promise.all(
      ids.map(async (id, index) => {
        await sleep(20 * (index % 12))
        return cancel(id)
      }),
    )
    for (const [index, id] of ids.entries()) {
      const ended = await untilEnded(service, id)
      expect(ended.body.status).to.equal(said[index].ok ? 'canceled' : 'completed')
    }
    const canceled = said.filter(({ ok }) => ok).length
    const { body: batch } = await service.request('GET', `/api/batches/${body.batch_id}`)
    const summary = { total_expected: 60, recorded: 60, succeeded: 60 - canceled, failed: canceled }
    expect(batch.outputs.summary).to.deep.equal(summary)
  })

  describe('while no worker is alive', () => {
    let started: string
    let waiting: string
    let later: { batch: string; ids: string[] }

    before(async () => {
      started = await submit('slow', { ms: 600_000 })
      await counts(started, 'begin', 1)
      await eventually(
        () => service.store.executions.findOne({ _id: started }),
        (execution) => execution?.started_at !== undefined,
      )
      await service.worker.kill9()
      waiting = await submit('slow', { ms: 1 })
    })

    it('ends an execution at once that never started', async () => {
      expect(await cancel(waiting)).to.include({ ok: true, status: 'canceled' })
      const { body } = await service.request('GET', `/api/prompts/${waiting}`)
      expect(body.status).to.equal('canceled')
      expect(body.completed_at).to.be.a('string')
    })

    it('ends a batch of which nothing ran at once; its id is free for another one', async () => {
      const batch_id = randomUUID()
      const submitBatch = () => service.request('POST', '/api/agents/slow/batch', { batch_id, tasks: [{ ms: 1 }] })
      const ids: string[] = [...(await submitBatch()).body.job_ids]
      const { body: said } = await service.request('POST', `/api/batches/${batch_id}/cancel`)
      expect(said).to.deep.equal({ ok: true, batch_id, status: 'canceled' })
      const { body } = await service.request('GET', `/api/batches/${batch_id}`)
      expect(body.status).to.equal('canceled')
      expect(body.completed_at).to.be.a('string')
      expect((await service.request('DELETE', `/api/batches/${batch_id}`)).status).to.equal(200)
      ids.push(...(await submitBatch()).body.job_ids)
      later = { batch: batch_id, ids }
    })

    it('reports a started execution as canceled at once, and as stopped when a worker confirms it', async () => {
      expect(await cancel(started)).to.include({ ok: true, status: 'canceled' })
      const { body } = await service.request('GET', `/api/prompts/${started}`)
      expect(body).to.include({ status: 'canceled', completed_at: null })
      // One of another pool: it hosts no agent of this test, but sees that the pool is silent.
      const other = await startWorker({ env: service.env, pool: `other-${randomUUID().slice(0, 8)}` })
      try {
        const ended = await untilEnded(service, started, 90_000)
        expect(ended.body.status).to.equal('canceled')
      } finally {
        await other.stop()
        await service.worker.restart()
      }
      const lines = await service.counted(waiting)
      expect(lines).to.deep.equal([])
    })

    it('lets a new worker run a later batch with the same id, and nothing of the canceled one', async () => {
      const { body } = await eventually(
        () => service.request('GET', `/api/batches/${later.batch}`),
        (response) => response.body.completed_at !== null,
      )
      expect(body).to.include({ status: 'completed', task_count: 1 })
      expect(await service.counted(later.ids[0] ?? '')).to.deep.equal([])
    })
  })
})
