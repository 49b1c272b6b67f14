import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'

const YEAR_MS = 365 * 86_400_000

describe('EXECUTION_RETENTION_DAYS', function () {
  this.timeout(120_000)
  let service: TestService

  before(async () => {
    service = await startTestService({ env: { EXECUTION_RETENTION_DAYS: '30', TRACE_RETENTION_DAYS: '7.5' } })
  })
  after(() => service.stop())

  it('deletes executions that ended long ago, and keeps running ones', async () => {
    const { store, request } = service
    const gate = randomUUID()
    const old = (await request('POST', '/api/jobs', { pipeline_name: 'instant', inputs: {} })).body.job_id
    const young = (await request('POST', '/api/jobs', { pipeline_name: 'instant', inputs: {} })).body.job_id
    for (const id of [old, young]) await untilEnded(service, id)
    const running = (await request('POST', '/api/prompts', { prompt_name: 'gated', inputs: { gate } })).body.prompt_id
    const longAgo = new Date(Date.now() - YEAR_MS)
    await store.executions.updateMany({ _id: { $in: [old, running] } }, { $set: { created_at: longAgo } })
    await store.executions.updateOne({ _id: old }, { $set: { completed_at: longAgo } })
    await store.traces.updateMany({ job_id: { $in: [running, old] } }, { $set: { timestamp: longAgo } })
    const due = () =>
      store.db.collection('housekeeping').updateMany({}, { $set: { next_at: longAgo }, $unset: { position: 1 } })
    await eventually(
      async () => (await due(), await request('GET', `/api/jobs/${old}`)).status,
      (status) => status === 404,
      60_000,
    )
    expect((await request('GET', `/api/jobs/${young}`)).status).to.equal(200)
    // An execution goes before its events.
    const eventsLeft = () => store.traces.countDocuments({ job_id: old })
    await eventually(eventsLeft, (left) => left === 0)
    expect(await store.traces.countDocuments({ job_id: running })).to.be.greaterThan(0)
    await service.open(gate)
    expect((await untilEnded(service, running)).body.status).to.equal('completed')
  })
})
