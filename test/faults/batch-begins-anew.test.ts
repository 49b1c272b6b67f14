import { expect } from 'chai'
import { startWorker, type ServiceProcess } from '../support/processes.ts'
import { eventually, startTestService, type TestService } from '../support/service.ts'
import { sharedStack } from '../support/stack.ts'
import {
  connectTemporal,
  startForgetfulTemporal,
  type OwnTemporal,
  type TemporalOfService,
} from '../support/temporal.ts'

/** A history of a few ranges. */
const EVENTS = 40
const TASKS = 6_000

describe('A batch whose history begins anew while its tasks run', function () {
  this.timeout(240_000)
  let temporal: OwnTemporal
  let operator: TemporalOfService
  let service: TestService
  let other: ServiceProcess

  before(async () => {
    temporal = await startForgetfulTemporal(EVENTS)
    service = await startTestService({ stack: { ...sharedStack(), TEMPORAL_ADDRESS: temporal.address } })
    other = await startWorker({ env: service.env })
    operator = await connectTemporal(service.env)
  })
  after(async () => {
    await operator.close()
    await other.stop()
    await service.stop()
    await temporal.stop()
  })

  it('begins none of them a second time', async () => {
    const tasks = Array.from({ length: TASKS }, () => ({ ms: 300 }))
    const { body } = await service.request('POST', '/api/agents/slow/batch', { tasks })
    await eventually(
      () => service.request('GET', `/api/batches/${body.batch_id}?results=false&ids=false`),
      ({ body: { status } }) => status === 'completed',
      180_000,
    )
    const { raw } = await operator.handleOf(body.batch_id).describe()
    const { firstRunId, execution } = raw.workflowExecutionInfo ?? {}
    expect(firstRunId).not.to.equal(execution?.runId)
    const counts: string[][] = await Promise.all(body.job_ids.map(service.counted))
    const others = counts.filter((lines) => lines.join() !== 'begin,end')
    expect(others, `of ${counts.length}`).to.deep.equal([])
  })
})
