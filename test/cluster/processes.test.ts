import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { Client } from '../streams/client.ts'
import { request, type Answer } from '../support/service.ts'
import { startClusterScene, type ClusterScene } from './scene.ts'

describe('Several processes', function () {
  this.timeout(300_000)
  let scene: ClusterScene

  before(async () => {
    scene = await startClusterScene({ apis: 3, workers: 4 })
  })
  after(() => scene.stop())

  const pidsOf = (answers: Answer[]): number[] => answers.map(({ body }) => body.outputs.pid as number)
  const ended = (ids: string[]) => Promise.all(ids.map(scene.ended))
  const share = (pids: number[], pid: number | undefined) => pids.filter((own) => own === pid).length

  it('share the work: each of four workers gets some of it', async () => {
    const pids = pidsOf(await ended(await scene.prompts(60, 'general')))
    for (const worker of scene.workers) expect(share(pids, worker.pid)).to.be.greaterThan(2)
  })

  it('return the same state of an execution from every API', async () => {
    const [id = ''] = await scene.prompts(1, 'talker')
    const streams = scene.apis.map(({ wsUrl }) => new Client(`${wsUrl}/ws/prompts/${id}`))
    const [first, ...others] = await Promise.all(streams.map((stream) => stream.complete()))
    const ids = streams.map(({ spans }) => spans.map((span) => span.id))
    expect(ids[0]).to.have.length(1 + 13 + 12 + 1)
    for (const other of ids) expect(other).to.deep.equal(ids[0])
    for (const other of others) expect(other).to.deep.equal(first)
    const records = await Promise.all(scene.apis.map(({ url }) => request(url, 'GET', `/api/prompts/${id}`)))
    for (const { body } of records) expect(body).to.deep.equal(records[0]?.body)
    for (const stream of streams) stream.leave()
  })

  it('let a client continue a stream at another API', async () => {
    const [id = ''] = await scene.prompts(1, 'talker')
    const before = new Client(`${scene.apis[0]?.wsUrl}/ws/prompts/${id}`)
    await before.until(({ spans }) => spans.length >= 5)
    before.leave()
    const seen = before.spans.map((span) => span.id)
    const after = new Client(`${scene.apis[2]?.wsUrl}/ws/prompts/${id}?after=${seen.at(-1)}`)
    await after.complete()
    const { body } = await request(scene.apis[1]?.url ?? '', 'GET', `/api/traces?job_id=${id}&limit=1000`)
    const all = body.traces.map((trace: { id: number }) => trace.id)
    expect([...seen, ...after.spans.map((span) => span.id)]).to.deep.equal(all)
    after.leave()
  })

  it('deliver a cancel through any API to an activity on any worker', async () => {
    const gate = randomUUID()
    const ids = await scene.prompts(24, 'general', { gate })
    await scene.begun(ids)
    const answers = await Promise.all(
      ids.map((id, index) => request(scene.apis[(index + 1) % 3]?.url ?? '', 'POST', `/api/prompts/${id}/cancel`)),
    )
    for (const { body } of answers) expect(body).to.include({ ok: true, status: 'canceled' })
    for (const { body } of await ended(ids)) expect(body.status).to.equal('canceled')
    for (const id of ids) expect(await scene.counted(id)).to.deep.equal(['begin', 'aborted'])
    const starts = await scene.store.traces.find({ job_id: { $in: ids }, event_type: 'task_start' }).toArray()
    expect(starts).to.have.length(ids.length)
    // Several workers were reached, not one.
    const workers = new Set(starts.map(({ payload }) => JSON.parse(payload).worker))
    expect(workers.size).to.be.greaterThan(1)
    await scene.open(gate)
  })

  it("run a pool's agent only where it is hosted, alone, in a chain and in a batch", async () => {
    const special = await scene.addWorker('special')
    const pids = pidsOf(await ended(await scene.prompts(12, 'special')))
    expect(new Set(pids)).to.deep.equal(new Set([special.pid]))
    const others = pidsOf(await ended(await scene.prompts(12, 'general')))
    expect(share(others, special.pid)).to.equal(0)

    const [api] = scene.apis
    const chain = { prompt_name: 'general', inputs: {}, mode: 'sequential', agents: ['general', 'special', 'general'] }
    const { body: submitted } = await request(api?.url ?? '', 'POST', '/api/prompts', chain)
    await scene.ended(submitted.prompt_id)
    const { body } = await request(api?.url ?? '', 'GET', `/api/traces?job_id=${submitted.prompt_id}`)
    const starts = body.traces.filter(({ event_type }: { event_type: string }) => event_type === 'task_start')
    const onSpecial = starts.map(({ payload }: { payload: { worker: string } }) =>
      payload.worker.startsWith(`${special.pid}@`),
    )
    expect(onSpecial).to.deep.equal([false, true, false])

    const tasks = Array.from({ length: 50 }, () => ({}))
    const batch = await request(api?.url ?? '', 'POST', '/api/agents/special/batch', { tasks, wait: true })
    const results: { response: { result: { pid: number } } }[] = batch.body.results
    expect(new Set(results.map(({ response }) => response.result.pid))).to.deep.equal(new Set([special.pid]))
  })

  it('run without an unavailable pool, and run its work when it is back', async () => {
    const [special] = scene.workers.slice(-1)
    await special?.stop()
    const ids = await scene.prompts(3, 'special')
    for (const { body } of await ended(await scene.prompts(3, 'general'))) expect(body.status).to.equal('completed')
    const { body } = await request(scene.apis[0]?.url ?? '', 'GET', `/api/prompts/${ids[0]}`)
    expect(body.status).to.equal('running')
    const next = await scene.addWorker('special')
    expect(new Set(pidsOf(await ended(ids)))).to.deep.equal(new Set([next.pid]))
  })
})

describe('A worker that is added under load', function () {
  this.timeout(180_000)

  it('takes its share of new work without disturbing running work', async () => {
    const scene = await startClusterScene({ apis: 1, workers: 1 })
    try {
      const gate = randomUUID()
      const before = await scene.prompts(30, 'general', { gate })
      await scene.begun(before)
      const added = await scene.addWorker()
      const after = await scene.prompts(40, 'general', { gate })
      await scene.begun([...before, ...after])
      await scene.open(gate)
      const pids = async (ids: string[]) =>
        (await Promise.all(ids.map(scene.ended))).map(({ body }) => body.outputs.pid as number)
      expect(new Set(await pids(before))).to.deep.equal(new Set([scene.workers[0]?.pid]))
      const shared = (await pids(after)).filter((pid) => pid === added.pid).length
      expect(shared).to.be.greaterThan(5)
      expect(shared).to.be.lessThan(35)
    } finally {
      await scene.stop()
    }
  })
})
