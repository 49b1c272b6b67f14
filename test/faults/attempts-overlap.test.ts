import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { FAULT_AGENTS } from './scene.ts'

// The engine takes a worker that is cut off or stands still for dead. When it comes back two attempts are at the same step;
// here two workflows of the same execution bring that about.
describe('Two attempts at the same step', function () {
  this.timeout(60_000)
  let service: TestService
  let connection: Connection
  let temporal: Client

  before(async () => {
    service = await startTestService({ agentsDir: FAULT_AGENTS })
    connection = await Connection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' })
    temporal = new Client({ connection, namespace: service.env.TEMPORAL_NAMESPACE ?? '' })
  })
  after(async () => {
    await service.stop()
    await connection.close()
  })

  it('get different answers from a model: both go on with the one that was recorded', async () => {
    const name = randomUUID()
    const { body } = await service.request('POST', '/api/prompts', { prompt_name: 'fickle', inputs: { name } })
    const id: string = body.prompt_id
    const asked = (times: number) =>
      eventually(
        () => service.counted(name),
        (lines) => lines.length === times,
      )
    await asked(1)
    const agent = { name: 'fickle', pool: service.env.WORKER_POOL, kind: 'model' }
    const twin = await temporal.workflow.start('prompt', {
      workflowId: `twin-${id}`,
      taskQueue: service.env.MONGODB_DATABASE ?? '',
      args: [{ job: id, agents: [agent], priority: 3 }],
    })
    await asked(2)
    // The first asked for one call, the second for two.
    await service.open(`${name}-1`)
    await eventually(
      () => service.store.steps.findOne({ _id: `${id}|0.m00000` }),
      (step) => step !== null,
    )
    await service.open(`${name}-2`)
    expect((await untilEnded(service, id)).body).to.deep.include({
      status: 'completed',
      outputs: { result: 'decided' },
    })
    expect(await twin.result()).to.be.oneOf(['completed', 'canceled'])
    const { events } = await twin.fetchHistory()
    const scheduled = events?.flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [])
    expect(scheduled?.filter((activity) => activity === 'callTool').length).to.be.at.most(1)
    expect(new Set(await service.counted(id))).to.deep.equal(new Set(['note 0']))
    const traces = await service.store.traces.find({ job_id: id }).sort({ _id: 1 }).toArray()
    expect(traces.map(({ event_type }) => event_type)).to.deep.equal([
      'task_start',
      'llm_usage',
      'tool_call',
      'llm_usage',
      'task_complete',
    ])
  })
})
