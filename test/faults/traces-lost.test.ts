import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'

describe('Trace events', function () {
  this.timeout(120_000)

  const submit = async (service: TestService, prompt_name: string, inputs: object): Promise<string> =>
    (await service.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id

  /** Takes a stepper through its seven steps; `between` comes after the third. */
  async function walk(service: TestService, between: (id: string) => Promise<unknown>) {
    const name = randomUUID()
    const id = await submit(service, 'stepper', { job: name })
    for (let step = 1; step <= 7; step += 1) {
      await Promise.all([service.open(`${name}-${step}`), service.open(`${id}-${step}`)])
      if (step !== 3) continue
      await eventually(
        () => service.store.steps.countDocuments({ job_id: id }),
        (records) => records >= 3,
      )
      await between(id)
    }
    const { body } = await untilEnded(service, id)
    expect(body).to.deep.include({ status: 'completed', outputs: { result: 'all steps made' } })
    expect(body.token_usage).to.include({ total_tokens: 36 })
    const counts = [...(await service.counted(name)), ...(await service.counted(id))]
    expect(counts).to.have.length(7)
    return id
  }

  describe('with TRACING=disabled', () => {
    let service: TestService

    before(async () => {
      service = await startTestService({ env: { TRACING: 'disabled' } })
    })
    after(() => service.stop())

    it('are not kept, and everything else works', async () => {
      const upper = await submit(service, 'delegator', {})
      const canceled = await submit(service, 'slow-tool', {})
      await eventually(
        () => service.counted(canceled),
        (lines) => lines.includes('begin'),
      )
      await service.request('POST', `/api/prompts/${canceled}/cancel`)
      const batch = await service.request('POST', '/api/agents/failing/batch', { tasks: [{}, {}], wait: true })
      expect(batch.body.status).to.equal('completed')
      expect((await untilEnded(service, upper)).body.status).to.equal('completed')
      expect((await untilEnded(service, canceled)).body).to.deep.include({ status: 'canceled' })
      await walk(service, async () => {
        await service.worker.kill9()
        await service.worker.restart()
      })
      expect(await service.store.traces.countDocuments({})).to.equal(0)
      expect((await service.request('GET', '/api/traces')).body.traces).to.deep.equal([])
      expect((await service.request('GET', '/api/health')).body.components.tracing.backend).to.equal('disabled')
      const { body: metrics } = await service.request('GET', '/api/metrics')
      expect(metrics).to.include({ completed_jobs: 2, failed_jobs: 2, total_jobs: 5 })
      expect(metrics.tool_calls).to.be.greaterThan(4)
      // Seven and three of the canceled run's first step.
      expect(metrics.total_tokens).to.equal(46)
    })
  })

  describe('that are deleted while a run is under way', () => {
    let service: TestService

    before(async () => {
      service = await startTestService()
    })
    after(() => service.stop())

    it('do not affect the run', async () => {
      const id = await walk(service, async () => {
        await service.store.traces.deleteMany({})
        await service.worker.kill9()
        await service.worker.restart()
      })
      const types = (await service.store.traces.find({ job_id: id }).sort({ _id: 1 }).toArray()).map(
        ({ event_type }) => event_type,
      )
      expect(types).not.to.include('task_start')
      expect(types.at(-1)).to.equal('task_complete')
    })
  })
})
