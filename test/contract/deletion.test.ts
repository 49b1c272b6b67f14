import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createS3Blobs } from '../../store/objects/s3.ts'
import type { Blobs } from '../../store/objects/blobs.ts'
import { startApi } from '../support/processes.ts'
import { startProxy } from '../support/proxy.ts'
import { eventually, request, untilEnded, type Answer, type TestService } from '../support/service.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { startScene } from './scene.ts'

describe('Deletion', function () {
  this.timeout(120_000)
  let service: TestService
  let blobs: Blobs

  before(async () => {
    service = await startScene({ env: { RESPONSE_OFFLOAD_BYTES: '1000' } })
    const { env } = service
    blobs = createS3Blobs({
      endpoint: env.S3_ENDPOINT,
      region: 'us-east-1',
      bucket: env.S3_BUCKET ?? 'troupe',
      accessKeyId: env.AWS_ACCESS_KEY_ID,
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
      sessionToken: undefined,
    })
  })
  after(async () => {
    await service.stop()
    blobs.close()
  })

  const get = (path: string): Promise<Answer> => service.request('GET', path)
  const remove = (path: string): Promise<Answer> => service.request('DELETE', path)
  const run = async (agent: string, inputs: unknown): Promise<string> =>
    (await service.request('POST', '/api/jobs', { pipeline_name: agent, inputs })).body.job_id
  const objectsOf = async (job: string): Promise<string[]> => {
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '/')
    const pages = await Promise.all(
      [`inputs/${job}`, `steps/${job}/`, `responses/${day}/${job}`].map((prefix) => blobs.list(prefix, prefix)),
    )
    return pages.flat().map(({ key }) => key)
  }
  const leftOf = async (jobs: string[]) => {
    const { executions, traces, steps, db } = service.store
    const [objects, ...counts] = await Promise.all([
      Promise.all(jobs.map(objectsOf)),
      executions.countDocuments({ _id: { $in: jobs } }),
      traces.countDocuments({ job_id: { $in: jobs } }),
      steps.countDocuments({ job_id: { $in: jobs } }),
      db.collection('deletions').countDocuments(),
    ])
    return [...objects.flat(), ...counts]
  }

  it('deletes a job with its traces, steps and objects, and nothing else', async () => {
    const large = { bytes: 5_000, pad: 'x'.repeat(5_000) }
    const [job, other] = [await run('big', large), await run('big', large)]
    expect(await objectsOf(job)).to.have.length.of.at.least(2)
    const { body: before } = await get('/api/metrics')
    const { status, body } = await remove(`/api/jobs/${job}`)
    expect(status).to.equal(200)
    expect(body).to.deep.equal({ ok: true, id: job, deleted: { ...body.deleted, executions: 1 } })
    expect(body.deleted.traces).to.be.greaterThan(1)
    expect(body.deleted.steps).to.be.greaterThan(0)
    expect(body.deleted.objects).to.be.greaterThan(1)
    expect(await leftOf([job])).to.deep.equal([0, 0, 0, 0])
    for (const path of [`/api/jobs/${job}`, `/api/prompts/${job}`, `/api/responses/${job}/resolved`]) {
      expect((await get(path)).status, path).to.equal(404)
    }
    expect((await get(`/api/traces?job_id=${job}`)).body.traces).to.deep.equal([])
    expect((await remove(`/api/jobs/${job}`)).status).to.equal(404)
    expect((await get(`/api/jobs/${other}`)).body.outputs.text).to.have.length(5_000)
    expect(await objectsOf(other)).to.have.length.of.at.least(2)
    const { timestamp: _before, ...totals } = before
    expect((await get('/api/metrics')).body).to.deep.include(totals)
  })

  it('removes the steps of a model agent and the large values in its events', async () => {
    const job = await run('reckoner', { n: 4, pad: 'x'.repeat(5_000) })
    expect(await service.store.steps.countDocuments({ job_id: job })).to.be.greaterThan(2)
    expect((await remove(`/api/jobs/${job}`)).status).to.equal(200)
    expect(await leftOf([job])).to.deep.equal([0, 0, 0, 0])
  })

  it('returns 409 for running and still stopping executions', async () => {
    const { body } = await service.request('POST', '/api/prompts', { prompt_name: 'slow', inputs: { ms: 100_000 } })
    const refused = await remove(`/api/jobs/${body.prompt_id}`)
    expect(refused.status).to.equal(409)
    expect(refused.body.detail).to.contain('still runs')
    await service.request('POST', `/api/prompts/${body.prompt_id}/cancel`)
    await untilEnded(service, body.prompt_id)
    expect((await remove(`/api/jobs/${body.prompt_id}`)).status).to.equal(200)
  })

  it('asks for a moment, not for a cancel, while a canceled execution stops', async () => {
    const stopping = buildExecution({ status: 'canceled', started_at: new Date(), completed_at: null })
    await storeExecutions(service.store, [stopping])
    const { status, body } = await remove(`/api/jobs/${stopping._id}`)
    expect(status).to.equal(409)
    expect(body.detail).to.equal(
      `Execution "${stopping._id}" was canceled and has not stopped yet: try again in a moment.`,
    )
  })

  it('returns 404 for unknown ids', async () => {
    for (const path of [`/api/jobs/${randomUUID()}`, `/api/batches/${randomUUID()}`, '/api/jobs/%00|']) {
      expect((await remove(path)).status, path).to.equal(404)
    }
  })

  it('removes a batch with all of its tasks; its id is free again', async () => {
    const batch_id = `batch-${randomUUID()}`
    const tasks = Array.from({ length: 600 }, (_, n) => ({ n, ...(n < 20 && { pad: 'x'.repeat(2_000) }) }))
    const submitted = await service.request('POST', '/api/agents/instant/batch', { tasks, batch_id, wait: true })
    const jobs: string[] = submitted.body.job_ids
    const alone = await remove(`/api/jobs/${jobs[0]}`)
    expect(alone.status).to.equal(409)
    expect(alone.body.detail).to.contain(`delete the batch`)
    const { status, body } = await remove(`/api/batches/${batch_id}`)
    expect(status).to.equal(200)
    expect(body).to.include({ ok: true, id: batch_id })
    expect(body.deleted.executions).to.equal(600)
    expect(body.deleted.traces).to.be.greaterThan(1_100)
    expect(body.deleted.objects).to.be.greaterThan(39)
    expect((await leftOf(jobs)).filter((count) => count !== 0)).to.deep.equal([])
    expect((await remove(`/api/batches/${batch_id}`)).status).to.equal(404)
    expect((await get(`/api/batches/${batch_id}`)).status).to.equal(404)
    const again = await service.request('POST', '/api/agents/instant/batch', { tasks: [{}], batch_id, wait: true })
    expect(again.body).to.include({ batch_id, task_count: 1, status: 'completed' })
  })

  it('reports what was deleted, even after a long time', async () => {
    const tasks = [{ bytes: 5_000 }]
    const { body: submitted } = await service.request('POST', '/api/agents/big/batch', { tasks, wait: true })
    const wire = await startProxy(Number(new URL(service.env.S3_ENDPOINT ?? '').port))
    const far = await startApi({ env: { ...service.env, S3_ENDPOINT: `http://127.0.0.1:${wire.port}` } })
    try {
      wire.freeze(true)
      const removing = request(far.url, 'DELETE', `/api/batches/${submitted.batch_id}`)
      // Longer than what answers within seconds may take.
      await sleep(16_000)
      wire.mend()
      const { status, body } = await removing
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body.deleted).to.include({ executions: 1 })
      expect(body.deleted.objects).to.be.greaterThan(0)
    } finally {
      await far.stop()
      await wire.close()
    }
  })

  it('rejects a running batch', async () => {
    const { body } = await service.request('POST', '/api/agents/slow/batch', { tasks: [{ ms: 100_000 }] })
    expect((await remove(`/api/batches/${body.batch_id}`)).status).to.equal(409)
    await service.request('POST', `/api/batches/${body.batch_id}/cancel`)
    await eventually(
      () => get(`/api/batches/${body.batch_id}`),
      (answer) => answer.body.completed_at !== null,
    )
    expect((await remove(`/api/batches/${body.batch_id}`)).status).to.equal(200)
  })

  it('reserves the id of a batch until all of its tasks have been deleted', async () => {
    const batch_id = `batch-${randomUUID()}`
    await service.request('POST', '/api/agents/instant/batch', { tasks: [{}], batch_id, wait: true })
    // As a process leaves it that dies in the middle.
    await service.store.batches.deleteOne({ _id: batch_id })
    const deletions = service.store.db.collection<{ _id: string }>('deletions')
    await deletions.insertOne({ _id: batch_id, at: new Date(), batch_id, jobs: [], keys: [] } as never)
    const early = await service.request('POST', '/api/agents/instant/batch', { tasks: [{}], batch_id })
    expect(early.status).to.equal(409)
    expect(early.body.detail).to.contain('still being deleted')
    await deletions.updateOne({ _id: batch_id }, { $set: { at: new Date(0) } })
    await service.store.db
      .collection<{ _id: string }>('housekeeping')
      .updateOne({ _id: 'deletions' }, { $set: { next_at: new Date(0) } })
    await eventually(
      () => deletions.countDocuments({ _id: batch_id }),
      (left) => left === 0,
      110_000,
    )
    expect(await service.store.executions.countDocuments({ batch_id })).to.equal(0)
    const again = await service.request('POST', '/api/agents/instant/batch', { tasks: [{}], batch_id, wait: true })
    expect(again.body).to.include({ status: 'completed', task_count: 1 })
  })
})
