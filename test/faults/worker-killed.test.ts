import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'

/** Records that a run has after each of the stepper's seven steps: model and tool calls, end. */
const RECORDS_AFTER_STEP = [1, 2, 3, 4, 5, 6, 8]

describe('A worker that is killed', function () {
  this.timeout(180_000)
  let service: TestService

  before(async () => {
    service = await startTestService()
  })
  after(() => service.stop())

  /** A run that has made so many of its seven steps and waits before the next one. */
  interface Stepped {
    id: string
    /** A script does not know its job: it waits and counts under a name that the test gives it. */
    name: string
    made: number
  }

  async function stepped(made: number): Promise<Stepped> {
    const name = randomUUID()
    const { body } = await service.request('POST', '/api/prompts', { prompt_name: 'stepper', inputs: { job: name } })
    const run = { id: body.prompt_id as string, name, made }
    for (let step = 1; step <= made; step += 1) await makeStep(run, step)
    return run
  }

  async function makeStep({ id, name }: Stepped, step: number): Promise<void> {
    // Model steps wait under the name in the inputs, tool steps under their job.
    await Promise.all([service.open(`${name}-${step}`), service.open(`${id}-${step}`)])
    const wanted = RECORDS_AFTER_STEP[step - 1] ?? 0
    await eventually(
      () => service.store.steps.countDocuments({ job_id: id }),
      (records) => records >= wanted,
    )
  }

  it('after any of the seven steps of a run loses nothing and repeats nothing', async () => {
    const runs = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(stepped))
    await service.worker.kill9()
    await service.worker.restart()
    await Promise.all(
      runs.map(async (run) => {
        for (let step = run.made + 1; step <= 7; step += 1) await makeStep(run, step)
        await expectEachStepOnce(run)
      }),
    )
  })

  async function expectEachStepOnce({ id, name, made }: Stepped): Promise<void> {
    const ended = await untilEnded(service, id)
    expect(ended.body.status).to.equal('completed')
    expect(ended.body.outputs).to.deep.equal({ result: 'all steps made' })
    const counts = [...(await service.counted(name)), ...(await service.counted(id))].sort()
    const once = ['model 1', 'model 4', 'model 7', 'tool 2', 'tool 3', 'tool 5', 'tool 6']
    expect(counts, `killed after step ${made}`).to.deep.equal(once)
    expect(ended.body.token_usage).to.include({ prompt_tokens: 30, completion_tokens: 6, total_tokens: 36 })
    const { body } = await service.request('GET', `/api/traces?job_id=${id}`)
    const types = body.traces.map(({ event_type }: { event_type: string }) => event_type).sort()
    expect(types).to.deep.equal([
      ...Array.from({ length: 3 }, () => 'llm_usage'),
      ...['task_complete', 'task_start'],
      ...Array.from({ length: 4 }, () => 'tool_call'),
    ])
  }
})
