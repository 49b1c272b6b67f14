import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { startApi, startWorker } from '../support/processes.ts'
import { FAULT_AGENTS } from './scene.ts'

describe('A graceful stop', function () {
  this.timeout(180_000)
  let service: TestService

  before(async () => {
    service = await startTestService({ agentsDir: FAULT_AGENTS })
  })
  after(() => service.stop())

  const submit = async (prompt_name: string, inputs: object): Promise<string> =>
    (await service.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id
  const begun = (id: string) =>
    eventually(
      () => service.counted(id),
      (lines) => lines.length > 0,
    )

  it('of a worker under load loses nothing, and another worker continues', async () => {
    // Some end within its grace, some do not heed its signal in time, some are model agents between two steps.
    const quick = await Promise.all(Array.from({ length: 10 }, () => submit('coder', { ms: 1_500 })))
    const models = await Promise.all(
      Array.from({ length: 5 }, () => submit('laborer', { steps: 4, calls: 2, ms: 400 })),
    )
    const long = await submit('slow', { ms: 13_000, tag: 'long' })
    const called = await submit('boss', { agent: 'slow', inputs: { ms: 14_000, tag: 'called' } })
    const tasks = Array.from({ length: 300 }, (_, value) => ({ ms: 20, value }))
    const { body } = await service.request('POST', '/api/agents/coder/batch', { tasks })
    await Promise.all([...quick, long, called].map(begun))

    const old = service.worker.pid
    const other = await startWorker({ env: service.env })
    process.kill(old as number, 'SIGTERM')
    await eventually(
      async () => service.worker.pid,
      (pid) => pid === undefined,
      45_000,
    )
    expect(await service.worker.logs()).to.contain('"msg":"worker stopped"')
    for (const id of [...quick, ...models, long, called]) {
      expect((await untilEnded(service, id, 90_000)).body.status).to.equal('completed')
    }
    for (const id of quick) expect(await service.counted(id)).to.have.length(1)
    const batch = await eventually(
      () => service.request('GET', `/api/batches/${body.batch_id}?results=false`),
      (answer) => answer.body.status === 'completed',
      60_000,
    )
    expect(batch.body.outputs.summary).to.include({ recorded: 300, succeeded: 300 })
    await other.stop()
    await service.worker.restart()
  })

  it('of a worker lets agent code that has just started end, once', async () => {
    const ids = await Promise.all([0, 1, 2].map((value) => submit('coder', { ms: 1_500, value })))
    await Promise.all(ids.map(begun))
    process.kill(service.worker.pid as number, 'SIGTERM')
    await eventually(
      async () => service.worker.pid,
      (pid) => pid === undefined,
      45_000,
    )
    await service.worker.restart()
    for (const id of ids) {
      expect((await untilEnded(service, id)).body.status).to.equal('completed')
      expect(await service.counted(id)).to.have.length(1)
    }
  })

  /** Stops an API while a client waits for a job of it. */
  async function stopWhileWaiting(ms: number) {
    const api = await startApi({ env: service.env })
    const tag = randomUUID()
    const known = await service.store.executions.distinct('_id')
    const job = fetch(`${api.url}/api/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pipeline_name: 'slow', inputs: { ms, tag } }),
    })
    const started = await eventually(
      () => service.store.executions.findOne({ kind: 'job', _id: { $nin: known } }),
      (found) => found !== null,
    )
    await begun(started?._id ?? '')
    await api.stop()
    return { api, answer: await job, id: started?._id ?? '', tag }
  }

  it('of an API still responds to clients that wait for some seconds', async () => {
    const { answer, id, tag } = await stopWhileWaiting(2_000)
    expect(answer.status).to.equal(200)
    expect(await answer.json()).to.deep.include({ job_id: id, status: 'success', result: { tag } })
  })

  it('of an API returns 503 to clients that wait for longer, and their work continues', async () => {
    const { api, answer, id, tag } = await stopWhileWaiting(15_000)
    expect(answer.status).to.equal(503)
    expect(answer.headers.get('retry-after')).to.be.a('string')
    expect((await untilEnded(service, id, 60_000)).body).to.deep.include({
      status: 'completed',
      outputs: { tag },
    })
    expect(await api.logs()).to.contain('"msg":"api stopped"')
  })
})
