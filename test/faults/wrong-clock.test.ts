import { expect } from 'chai'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { startWorker } from '../support/processes.ts'
import { FAULT_AGENTS } from './scene.ts'

const HOUR_MS = 3_600_000
/** What a busy machine may take between the submission and the sleep. */
const GRACE_MS = 120_000

describe('A worker whose clock is wrong', function () {
  this.timeout(180_000)

  for (const wrongBy of [HOUR_MS, -2 * HOUR_MS]) {
    it(`by ${wrongBy / HOUR_MS} h lets an agent sleep as long as it asked for`, async () => {
      const clock = `data:text/javascript,const%20now=Date.now;Date.now=()=>now()+${wrongBy}`
      const env = { NODE_OPTIONS: `--import=${clock}` }
      const service: TestService = await startTestService({ agentsDir: FAULT_AGENTS, env })
      try {
        const sleep = async (ms: number): Promise<string> =>
          (await service.request('POST', '/api/prompts', { prompt_name: 'sleeper', inputs: { ms } })).body.prompt_id
        const before = Date.now()
        const id = await sleep(HOUR_MS)
        const step = await eventually(
          () => service.store.steps.findOne({ _id: { $regex: `^${id}\\|0\\.z` } } as object),
          (found) => found !== null,
          60_000,
        )
        const { result: until } = JSON.parse((step?.result as { json: string }).json) as { result: number }
        expect(until - before).to.be.within(HOUR_MS - 1_000, HOUR_MS + GRACE_MS)
        await service.request('POST', `/api/prompts/${id}/cancel`)
        expect((await untilEnded(service, await sleep(1_500))).body.outputs).to.deep.equal({ awake: true })
        // It may be entered again; it must not go on.
        expect(await service.counted(id)).not.to.include('awake')
      } finally {
        await service.stop()
      }
    })
  }

  it('by days deletes nothing that is not old', async () => {
    const wrongBy = 3 * 24 * HOUR_MS
    const clock = `data:text/javascript,const%20D=Date,t=()=>D.now()+${wrongBy};globalThis.Date=class%20extends%20D{constructor(...a){super(...(a.length?a:[t()]))}static%20now(){return%20t()}}`
    const service: TestService = await startTestService()
    await service.worker.stop()
    const right = await startWorker({ env: service.env })
    const keeping = { EXECUTION_RETENTION_DAYS: '2', TRACE_RETENTION_DAYS: '2' }
    try {
      const { body } = await service.request('POST', '/api/prompts', { prompt_name: 'instant', inputs: {} })
      const before = (await untilEnded(service, body.prompt_id)).body
      await right.stop()
      const wrong = await startWorker({ env: { ...service.env, ...keeping, NODE_OPTIONS: `--import=${clock}` } })
      try {
        const chores = service.store.db.collection('housekeeping')
        await eventually(
          () => chores.find({ _id: { $in: ['traces', 'executions', 'orphans'] } } as object).toArray(),
          (done) => done.length === 3,
          90_000,
        )
      } finally {
        await wrong.stop()
      }
      expect((await service.request('GET', `/api/prompts/${body.prompt_id}`)).body).to.deep.equal(before)
      expect(await service.store.traces.countDocuments({ job_id: body.prompt_id })).to.equal(2)
    } finally {
      await service.stop()
    }
  })
})
