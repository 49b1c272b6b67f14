import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
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
/** Longer than Temporal waits for the sign of life of an activity. */
const STANDSTILL_MS = 13_000
/** Begun while the worker has grace, it would be stopped at the end of that. */
const LONG_MS = 4_000

describe('A batch whose tasks move to another worker without a failure', function () {
  this.timeout(300_000)
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
    await operator?.close()
    await other?.stop()
    await service?.stop()
    await temporal?.stop()
  })

  interface Submitted {
    batch_id: string
    job_ids: string[]
  }

  const submit = async (count: number, ms: number): Promise<Submitted> =>
    (await service.request('POST', '/api/agents/slow/batch', { tasks: Array.from({ length: count }, () => ({ ms })) }))
      .body

  async function expectOnce({ batch_id, job_ids }: Submitted): Promise<void> {
    await eventually(
      () => service.request('GET', `/api/batches/${batch_id}?results=false&ids=false`),
      ({ body: { status } }) => status === 'completed',
      240_000,
    )
    const counts = await Promise.all(job_ids.map(service.counted))
    const times: Record<string, number> = {}
    for (const lines of counts) {
      const did = lines.map((line) => line.split(' ')[0]).join()
      times[did] = (times[did] ?? 0) + 1
    }
    expect(times).to.deep.equal({ 'begin,end': job_ids.length })
  }

  it('starts no task twice when its history is continued as new', async () => {
    const submitted = await submit(6_000, 300)
    await expectOnce(submitted)
    const { raw } = await operator.handleOf(submitted.batch_id).describe()
    const { firstRunId, execution } = raw.workflowExecutionInfo ?? {}
    expect(firstRunId).not.to.equal(execution?.runId)
    await eventually(
      () => service.store.ranges.countDocuments({ _id: new RegExp(`^${submitted.batch_id}`) }),
      (count) => count === 0,
    )
  })

  it('starts no task twice when Temporal was frozen', async () => {
    const submitted = await submit(2_500, 5_000)
    await eventually(
      () => Promise.all(submitted.job_ids.map(service.counted)),
      (counts) => counts.flat().length >= 100,
    )
    const pid = temporal.pid() ?? 0
    process.kill(pid, 'SIGSTOP')
    await sleep(STANDSTILL_MS)
    process.kill(pid, 'SIGCONT')
    await expectOnce(submitted)
  })

  it('starts no task twice when its workflow is restarted', async () => {
    const submitted = await submit(2_000, 1_500)
    await eventually(
      () => Promise.all(submitted.job_ids.map(service.counted)),
      (counts) => counts.flat().length >= 300,
    )
    // As when Temporal has lost it; the reconciler finds a batch with tasks left.
    await operator.handleOf(submitted.batch_id).terminate('test')
    const more = { agent_name: 'slow', tasks: [{ ms: 1 }] }
    const { status } = await service.request('POST', `/api/batches/${submitted.batch_id}/add-tasks`, more)
    expect(status).to.equal(200)
    await expectOnce(submitted)
  })

  it('starts no task that its worker cannot finish during shutdown', async () => {
    const submitted = await submit(1_000, LONG_MS)
    await eventually(
      () => Promise.all(submitted.job_ids.map(service.counted)),
      (counts) => counts.flat().length >= 400,
    )
    await other.stop()
    await expectOnce(submitted)
  })
})
