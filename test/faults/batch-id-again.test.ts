import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { startApi, type ApiProcess } from '../support/processes.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { eventually, request, startTestService, type TestService } from '../support/service.ts'

describe('A batch with the id of a deleted batch', function () {
  this.timeout(120_000)
  let service: TestService
  let wire: Proxy
  /** Reaches Temporal by the wire. */
  let far: ApiProcess

  before(async () => {
    service = await startTestService()
    const [host = '', port = ''] = (service.env.TEMPORAL_ADDRESS ?? '').split(':')
    wire = await startProxy(Number(port), host)
    far = await startApi({ env: { ...service.env, TEMPORAL_ADDRESS: `127.0.0.1:${wire.port}` } })
  })
  after(async () => {
    await far.stop()
    await wire.close()
    await service.stop()
  })

  const submit = async (batch_id: string): Promise<string[]> => {
    const tasks = Array.from({ length: 3 }, () => ({ gate: batch_id }))
    const { body } = await service.request('POST', '/api/agents/gated/batch', { batch_id, tasks })
    for (const id of body.job_ids) {
      await eventually(
        () => service.counted(id),
        (lines) => lines.length > 0,
      )
    }
    return body.job_ids
  }
  const until = (id: string, status: string) =>
    eventually(
      () => service.request('GET', `/api/batches/${id}`),
      ({ body }) => body.status === status && body.completed_at !== null,
    )

  it('is not canceled by a delayed cancel of the deleted batch', async () => {
    const batch_id = randomUUID()
    await submit(batch_id)
    wire.freeze(true)
    const late = request(far.url, 'POST', `/api/batches/${batch_id}/cancel`)
    await eventually(
      () => service.store.batches.findOne({ _id: batch_id }),
      (batch) => batch?.status === 'canceled',
    )
    await service.request('POST', `/api/batches/${batch_id}/cancel`)
    await until(batch_id, 'canceled')
    expect((await service.request('DELETE', `/api/batches/${batch_id}`)).status).to.equal(200)
    const ids = await submit(batch_id)
    wire.mend()
    expect((await late).body).to.include({ ok: true, status: 'canceled' })
    await service.open(batch_id)
    const { body } = await until(batch_id, 'completed')
    expect(body.job_ids).to.deep.equal(ids)
    expect(body.outputs.summary).to.deep.equal({ total_expected: 3, recorded: 3, succeeded: 3, failed: 0 })
  })
})
