import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { revive } from '../support/revive.ts'
import { eventually, untilEnded } from '../support/service.ts'
import { expectDoneOnce, expectTasksOnce, startFaultScene, type FaultScene } from './scene.ts'

const WITHIN_MS = 120_000

describe('When a server is killed', function () {
  this.timeout(240_000)
  let scene: FaultScene

  before(async () => {
    scene = await startFaultScene()
  })
  afterEach(() => revive(...Object.values(scene.stack.servers), scene.api, scene.worker))
  after(() => (scene as FaultScene | undefined)?.stop())

  const started = (ids: string[]) =>
    eventually(
      () => scene.store.steps.countDocuments({ job_id: { $in: ids } }),
      (steps) => steps >= ids.length,
    )
  const tasksOf = (count: number) => Array.from({ length: count }, (_, value) => ({ ms: 5, value }))
  const batchDone = async (id: string, tasks: number): Promise<void> => {
    const { body } = await eventually(
      () => scene.request('GET', `/api/batches/${id}`),
      (answer) => answer.body.status === 'completed',
      WITHIN_MS,
    )
    const summary = { total_expected: tasks, recorded: tasks, succeeded: tasks, failed: 0 }
    expect(body.outputs.summary).to.deep.equal(summary)
    expect(new Set(body.job_ids).size).to.equal(tasks)
    expect(Object.keys(body.outputs.results)).to.have.length(tasks)
    for (const type of ['task_start', 'task_complete'] as const) {
      expect(await scene.store.traces.countDocuments({ batch_id: id, event_type: type })).to.equal(tasks)
    }
    const values = Object.values(body.outputs.results as Record<string, { response: { result: { value: number } } }>)
    expect(values.map(({ response }) => response.result.value).sort((a, b) => a - b)).to.deep.equal(
      tasksOf(tasks).map(({ value }) => value),
    )
  }

  it('the API: prompts, a blocking job and a batch whose submission was under way all complete, nothing twice', async () => {
    const prompts = await scene.labor(6)
    const job = scene
      .request('POST', '/api/jobs', { pipeline_name: 'coder', inputs: { ms: 3_000, value: 'job' } })
      .catch(() => 'lost')
    const { _id: jobId } = await eventually(
      async () => scene.store.executions.findOne({ kind: 'job' }),
      (found) => found !== null,
    ).then((found) => found as { _id: string })
    const id = `batch-${randomUUID()}`
    const submission = { tasks: tasksOf(2_500), batch_id: id }
    const batch = scene.accepted('/api/agents/coder/batch', submission)
    await eventually(
      () => scene.store.executions.countDocuments({ batch_id: id }),
      (stored) => stored > 0,
    )
    await scene.api.kill9()
    expect(await job).to.equal('lost')
    await scene.api.restart()
    expect((await batch).body).to.include({ batch_id: id, task_count: 2_500 })
    await expectDoneOnce(scene, prompts, WITHIN_MS)
    const ended = await untilEnded(scene, jobId)
    expect(ended.body).to.deep.include({ status: 'completed', outputs: { value: 'job' } })
    await batchDone(id, 2_500)
  })

  it('the API between insert and start: the record gets its workflow within a minute', async () => {
    const execution = buildExecution({ prompt_name: 'coder', inputs: { json: '{"ms":1,"value":"late"}' } })
    await storeExecutions(scene.store, [execution])
    const { body } = await untilEnded(scene, execution._id, 60_000)
    expect(body).to.deep.include({ status: 'completed', outputs: { value: 'late' } })
  })

  it('mongod: prompts complete, and what was recorded is not made again', async () => {
    const prompts = await scene.labor(12)
    await started(prompts)
    await scene.stack.servers.mongod.kill()
    const refused = await scene.request('POST', '/api/prompts', { prompt_name: 'coder', inputs: { ms: 1 } })
    expect(refused.status).to.equal(503)
    expect(Number(refused.headers.get('retry-after'))).to.be.greaterThan(0)
    await scene.stack.servers.mongod.restart()
    await expectDoneOnce(scene, prompts, WITHIN_MS)
  })

  it('Temporal: prompts complete, and what was recorded is not made again', async () => {
    const prompts = await scene.labor(12)
    await started(prompts)
    await scene.stack.servers.temporal.kill()
    const refused = await scene.request('POST', '/api/prompts', { prompt_name: 'coder', inputs: { ms: 1 } })
    expect(refused.status).to.equal(503)
    expect(Number(refused.headers.get('retry-after'))).to.be.greaterThan(0)
    await scene.stack.servers.temporal.restart()
    await expectDoneOnce(scene, prompts, WITHIN_MS)
  })

  it('S3 while a large result is to be stored: the run waits for it, and its agent runs once', async () => {
    const bytes = 300_000
    const submitted = await scene.accepted('/api/prompts', { prompt_name: 'slow-big', inputs: { bytes } })
    const id: string = submitted.body.prompt_id
    await eventually(
      () => scene.counted(id),
      (lines) => lines.length === 1,
    )
    await scene.stack.servers.s3.kill()
    await scene.open(id)
    await eventually(
      () => scene.worker.logs(),
      (logs) => logs.includes('the object store does not respond'),
    )
    expect((await scene.request('GET', `/api/prompts/${id}`)).body.status).to.equal('running')
    await scene.stack.servers.s3.restart()
    const { body } = await untilEnded(scene, id)
    expect(body.status).to.equal('completed')
    expect(body.outputs.text).to.have.length(bytes)
    expect(await scene.counted(id)).to.deep.equal(['begin'])
  })

  it('the worker three times and mongod once during a batch: every task recorded once, the summary exact', async () => {
    const id = `batch-${randomUUID()}`
    const tasks = 3_000
    await scene.accepted('/api/agents/coder/batch', { tasks: tasksOf(tasks), batch_id: id })
    const { mongod } = scene.stack.servers
    for (const [kills, part] of [scene.worker, scene.worker, mongod, scene.worker].entries()) {
      const progress = () => scene.store.batches.findOne({ _id: id })
      await eventually(progress, (batch) => (batch?.succeeded ?? 0) > 300 * (kills + 1), WITHIN_MS)
      await ('kill9' in part ? part.kill9() : part.kill())
      await part.restart()
    }
    await batchDone(id, tasks)
    await expectTasksOnce(scene, id)
  })

  it('everything in turn, under load: all that was accepted completes, nothing twice', async () => {
    const id = `batch-${randomUUID()}`
    const batch = scene.accepted('/api/agents/coder/batch', { tasks: tasksOf(400), batch_id: id })
    const early = await scene.labor(15)
    await batch
    const { mongod, temporal } = scene.stack.servers
    const late: Promise<string[]>[] = []
    for (const part of [scene.api, scene.worker, temporal, mongod]) {
      late.push(scene.labor(4))
      await ('kill9' in part ? part.kill9() : part.kill())
      await part.restart()
    }
    await expectDoneOnce(scene, [...early, ...(await Promise.all(late)).flat()], WITHIN_MS)
    await batchDone(id, 400)
  })
})
