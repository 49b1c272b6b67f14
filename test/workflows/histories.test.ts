import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { connectTemporal, type TemporalOfService } from '../support/temporal.ts'

/** What one argument, result or failure may take of a history. */
const MAX_PAYLOAD_BYTES = 2_048

describe('The history of a run', function () {
  this.timeout(180_000)
  let service: TestService
  let temporal: TemporalOfService

  before(async () => {
    service = await startTestService()
    temporal = await connectTemporal(service.env)
  })
  after(async () => {
    await service.stop()
    await temporal.close()
  })

  const submit = async (prompt_name: string, inputs: object): Promise<string> =>
    (await service.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id
  const historyOf = async (id: string) => (await temporal.handleOf(id).fetchHistory()).events ?? []

  it('shows the steps of the agent, and contains no inputs or outputs', async () => {
    const job = randomUUID()
    const id = await submit('stepper', { job, filler: 'x'.repeat(50_000) })
    // It waits at its first gate until its leg is an activity.
    await eventually(
      () => historyOf(id),
      (events) => events.some((event) => event.activityTaskScheduledEventAttributes != null),
    )
    for (let step = 1; step <= 7; step += 1) {
      await Promise.all([service.open(`${job}-${step}`), service.open(`${id}-${step}`)])
    }
    expect((await untilEnded(service, id)).body.status).to.equal('completed')
    const events = await historyOf(id)
    const activities = events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => {
      return scheduled == null ? [] : [scheduled.activityType?.name]
    })
    expect(activities).to.deep.equal(['runLeg'])
    const summaries = events.flatMap(({ userMetadata }) => {
      const text = userMetadata?.summary?.data
      return text == null ? [] : [JSON.parse(Buffer.from(text).toString())]
    })
    expect(summaries).to.include('stepper, scripted')
    expect(events[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name).to.equal('prompt')
    const sizes = payloadSizes(events)
    expect(sizes).not.to.have.length(0)
    expect(Math.max(...sizes)).to.be.at.most(MAX_PAYLOAD_BYTES)
    expect(events.length).to.be.at.most(12)
  })

  it('of a batch holds ranges and no tasks', async () => {
    const tasks = Array.from({ length: 600 }, (_, index) => ({ text: 'x'.repeat(500), index }))
    const { body } = await service.request('POST', '/api/agents/instant/batch', { tasks, wait: true })
    expect(body.status).to.equal('completed')
    const sizes = payloadSizes(await historyOf(body.batch_id))
    expect(Math.max(...sizes)).to.be.at.most(MAX_PAYLOAD_BYTES)
  })

  it('of a thousand tool calls stays far below the limits, each call made once', async () => {
    const id = await submit('many-tools', { steps: 100, calls: 10 })
    const { body } = await untilEnded(service, id, 150_000)
    expect(body).to.deep.include({ status: 'completed', outputs: { result: 'counted' } })
    const counts = await service.counted(id)
    expect(counts).to.have.length(1_000)
    expect(new Set(counts).size).to.equal(1_000)
    const runs = await runsOf(id)
    expect(runs.every(({ events }) => events < 10_000)).to.equal(true)
    expect(runs.every(({ bytes }) => bytes < 5_000_000)).to.equal(true)
  })

  /** The runs of a workflow, the continued ones too. */
  async function runsOf(id: string): Promise<{ events: number; bytes: number }[]> {
    const workflowId = `${service.env.MONGODB_DATABASE}/${id}`
    const { raw } = await temporal.client.workflow.getHandle(workflowId).describe()
    const runs: { events: number; bytes: number }[] = []
    for (let runId = raw.workflowExecutionInfo?.firstRunId ?? undefined; runId !== undefined;) {
      const handle = temporal.client.workflow.getHandle(workflowId, runId)
      const { historySize = 0, historyLength } = await handle.describe()
      runs.push({ events: historyLength, bytes: historySize })
      const { events } = await handle.fetchHistory()
      runId = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined
    }
    return runs
  }
})

/** Bytes of every payload anywhere in these events. */
function payloadSizes(value: unknown): number[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  const { data, metadata } = value as { data?: unknown; metadata?: unknown }
  if (data instanceof Uint8Array && typeof metadata === 'object') return [data.length]
  return Object.values(value).flatMap(payloadSizes)
}
