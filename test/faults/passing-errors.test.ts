import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Content } from '../../store/documents.ts'
import { startWorker, type ServiceProcess } from '../support/processes.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { eventually, startTestService, untilEnded, type Answer, type TestService } from '../support/service.ts'
import { connectTemporal, type TemporalOfService } from '../support/temporal.ts'
import { FAULT_AGENTS } from './scene.ts'

/** Kept in the object store, whose absence is an error that passes. */
const LARGE = 'x'.repeat(2_000)
/** As activities/run-leg.ts has it. */
const MAX_FAILED_ATTEMPTS = 6
const WITHIN_MS = 120_000
/** Time enough to begin, and to meet the error. */
const MET_MS = 8_000

describe('A temporary error', function () {
  this.timeout(300_000)
  let service: TestService
  let proxy: Proxy
  let worker: ServiceProcess | undefined
  let temporal: TemporalOfService

  before(async () => {
    service = await startTestService({ agentsDir: FAULT_AGENTS, env: { RESPONSE_OFFLOAD_BYTES: '1000' } })
    await service.worker.stop()
    proxy = await startProxy(Number(new URL(service.env.S3_ENDPOINT ?? '').port))
    worker = await startWorker({ env: { ...service.env, S3_ENDPOINT: `http://127.0.0.1:${proxy.port}` } })
    temporal = await connectTemporal(service.env)
  })
  after(async () => {
    proxy.mend()
    await worker?.stop()
    await service.stop()
    await proxy.close()
    await temporal.close()
  })

  const submit = async (): Promise<string> =>
    (await service.request('POST', '/api/prompts', { prompt_name: 'instant', inputs: { value: LARGE } })).body.prompt_id
  const activityOf = async (id: string) => (await temporal.handleOf(id).describe()).raw.pendingActivities?.[0]
  const setInputs = (id: string, inputs: Content) =>
    service.store.executions.updateOne({ _id: id }, { $set: { inputs } })
  const execution = async (id: string) => {
    const found = await service.store.executions.findOne({ _id: id })
    if (found === null) throw new Error(`There is no ${id}.`)
    return found
  }

  it('does not count among the failures of a run', async () => {
    proxy.cut()
    const id = await submit()

    await eventually(
      () => activityOf(id),
      (activity) => (activity?.attempt ?? 0) >= MAX_FAILED_ATTEMPTS,
      WITHIN_MS,
    )
    const { inputs } = await execution(id)
    await setInputs(id, { json: '{' })
    const { status } = await eventually(
      async () => ({ ...(await execution(id)), activity: await activityOf(id) }),
      ({ status, activity }) =>
        status !== 'running' || activity?.lastFailure?.applicationFailureInfo?.type === 'internal_error',
      WITHIN_MS,
    )
    expect(status).to.equal('running')
    await setInputs(id, inputs)
    proxy.mend()
    expect((await untilEnded(service, id, WITHIN_MS)).body.status).to.equal('completed')
  })

  it('is distinguished from an error of the run, which fails it', async () => {
    proxy.cut()
    const id = await submit()
    await eventually(
      () => activityOf(id),
      (activity) => activity !== undefined,
    )
    await setInputs(id, { json: '{' })
    const { status, error } = await eventually(
      () => execution(id),
      (found) => found.status !== 'running',
      WITHIN_MS,
    )
    expect(status).to.equal('failed')
    expect(error).to.contain('JSON')
    proxy.mend()
  })

  describe('in a task of a batch', () => {
    const submitBatch = async (tasks: object[]): Promise<string> =>
      (await service.request('POST', '/api/agents/gated/batch', { tasks })).body.batch_id
    const untilBatch = (id: string, holds: (body: Answer['body']) => boolean) =>
      eventually(
        () => service.request('GET', `/api/batches/${id}?results=false`),
        ({ body }) => holds(body),
        WITHIN_MS,
      )
    const [open, held] = [randomUUID(), randomUUID()]
    const large = Array.from({ length: 10 }, () => ({ gate: open, value: LARGE }))

    before(() => service.open(open))

    it('does not make the task wait for other tasks of its range', async () => {
      proxy.cut()
      const id = await submitBatch([{ gate: held }, ...large])
      await sleep(MET_MS)
      proxy.mend()
      const { body } = await untilBatch(id, ({ outputs }) => outputs.summary.succeeded === large.length)
      expect(body.status).to.equal('running')
      await service.open(held)
      await untilBatch(id, ({ status }) => status === 'completed')
    })

    it('is no longer retried after a cancel', async () => {
      proxy.cut()
      const id = await submitBatch(large)
      await sleep(MET_MS)
      await service.request('POST', `/api/batches/${id}/cancel`)
      const { body } = await untilBatch(id, ({ completed_at }) => completed_at !== null)
      expect(body.status).to.equal('canceled')
    })
  })
})
