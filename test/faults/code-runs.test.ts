import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { startWorker } from '../support/processes.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { FAULT_AGENTS } from './scene.ts'

describe('An agent that starts next to its workflow task', function () {
  this.timeout(120_000)
  let service: TestService
  let connection: Connection

  before(async () => {
    service = await startTestService({ agentsDir: FAULT_AGENTS })
    connection = await Connection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' })
  })
  after(async () => {
    await service.stop()
    await connection.close()
  })

  const submit = async (prompt_name: string, inputs: object): Promise<string> =>
    (await service.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id
  const begun = (id: string, times = 1) =>
    eventually(
      () => service.counted(id),
      (lines) => lines.length >= times,
    )
  const types = async (id: string) => {
    const traces = await service.store.traces.find({ job_id: id }).sort({ _id: 1 }).toArray()
    return traces.map(({ event_type }) => event_type)
  }
  /** Activity tasks that the engine gave out for a workflow, and the queues that they went to. */
  const tasksOf = async (id: string) => {
    const temporal = new Client({ connection, namespace: service.env.TEMPORAL_NAMESPACE ?? '' })
    const { events } = await temporal.workflow.getHandle(`${service.env.MONGODB_DATABASE}/${id}`).fetchHistory()
    return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: task }) =>
      task == null ? [] : [{ name: task.activityType?.name, queue: task.taskQueue?.name }],
    )
  }

  /** On a machine that is busy for longer than the moment, the first may become an activity. */
  const oneWithoutTask = (agent: string, inputs: object, outputs: object) =>
    eventually(
      async () => {
        const id = await submit(agent, inputs)
        expect((await untilEnded(service, id)).body.outputs).to.deep.equal(outputs)
        return tasksOf(id)
      },
      (tasks) => tasks.length === 0,
      60_000,
    )

  it('needs no activity task when it ends quickly', async () => {
    await oneWithoutTask('coder', { ms: 1, value: 'soon' }, { value: 'soon' })
  })

  it('is followed by one activity of its pool when it takes longer', async () => {
    const id = await submit('coder', { ms: 1_500, value: 'later' })
    expect((await untilEnded(service, id)).body.outputs).to.deep.equal({ value: 'later' })
    expect(await service.counted(id)).to.have.length(1)
    const tasks = await tasksOf(id)
    const queue = `${service.env.MONGODB_DATABASE}.${service.env.WORKER_POOL}`
    expect(tasks).to.deep.equal([{ name: 'runLeg', queue }])
  })

  it('needs no activity task when it is a quick model agent with tools', async () => {
    await oneWithoutTask('many-tools', { steps: 2, calls: 2 }, { result: 'counted' })
  })

  it('is restarted in another worker when its worker is killed early, or while an activity follows it', async () => {
    const ids = await Promise.all([submit('coder', { ms: 150, value: 0 }), submit('coder', { ms: 4_000, value: 1 })])
    await Promise.all(ids.map((id) => begun(id)))
    await service.worker.kill9()
    const other = await startWorker({ env: service.env })
    try {
      for (const [value, id] of ids.entries()) {
        const { body } = await untilEnded(service, id)
        expect(body).to.deep.include({ status: 'completed', outputs: { value } })
        expect(await types(id)).to.deep.equal(['task_start', 'task_complete'])
      }
    } finally {
      await service.worker.restart()
      await other.stop()
    }
  })

  it('has six attempts when it asks for them, however soon it fails', async () => {
    const ids = await Promise.all([0, 200, 210, 220, 500].map((ms) => submit('hopeless', { ms })))
    for (const id of ids) {
      const { body } = await untilEnded(service, id)
      expect(body).to.include({ status: 'failed', error: 'Not today.' })
      expect(await service.counted(id)).to.have.length(6)
      expect(await types(id)).to.deep.equal(['task_start', ...Array<string>(6).fill('error'), 'task_complete'])
    }
  })
})
