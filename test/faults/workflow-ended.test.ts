import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { findBinary } from '../../dev/binaries/find-binary.ts'
import { saySilently } from '../../dev/say.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { FAULT_AGENTS } from './scene.ts'

/** The contract's minute, and time for the machine of a test run. */
const WITHIN_MS = 90_000

describe('A workflow that is ended or blocked from outside of the service', function () {
  this.timeout(180_000)
  let service: TestService
  let connection: Connection
  let temporal: Client
  let cli: string

  before(async () => {
    service = await startTestService({ agentsDir: FAULT_AGENTS })
    connection = await Connection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' })
    temporal = new Client({ connection, namespace: service.env.TEMPORAL_NAMESPACE ?? '' })
    cli = await findBinary('temporal', { environment: process.env, say: saySilently })
  })
  after(async () => {
    await service.stop()
    await connection.close()
  })

  const workflowOf = (id: string): string => `${service.env.MONGODB_DATABASE}/${id}`
  /** What an operator does by hand. */
  const byHand = (command: 'terminate' | 'cancel', id: string) =>
    promisify(execFile)(cli, [
      ...['workflow', command, '-w', workflowOf(id), '--address', service.env.TEMPORAL_ADDRESS ?? ''],
      ...['--namespace', service.env.TEMPORAL_NAMESPACE ?? '', '--disable-config-file', '--disable-config-env'],
    ])
  const submit = async (prompt_name: string, inputs: object): Promise<string> =>
    (await service.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id
  const begun = (id: string) =>
    eventually(
      () => service.counted(id),
      (lines) => lines.includes('begin'),
    )
  const gatedBatch = async (gates: string[]): Promise<{ id: string; jobs: string[] }> => {
    const tasks = gates.map((gate) => ({ gate }))
    const { body } = await service.request('POST', '/api/agents/gated/batch', { tasks })
    await Promise.all(body.job_ids.map(begun))
    return { id: body.batch_id, jobs: body.job_ids }
  }
  const batchEnded = (id: string) =>
    eventually(
      () => service.request('GET', `/api/batches/${id}`),
      ({ body }) => body.completed_at !== null,
      WITHIN_MS,
    )
  const insertRecord = async (agent: string, inputs: object): Promise<string> => {
    const execution = buildExecution({ prompt_name: agent, inputs: { json: JSON.stringify(inputs) } })
    await storeExecutions(service.store, [execution])
    return execution._id
  }
  /** A workflow under an execution's id that fails its workflow task again and again. */
  const startBroken = (id: string, type: string, args: unknown[]) =>
    temporal.workflow.start(type, { workflowId: workflowOf(id), taskQueue: service.env.MONGODB_DATABASE ?? '', args })

  // One after the other these would take minutes, most of them waiting for the reconciler: they wait together.
  it('is detected within a minute in all cases', async () => {
    await Promise.all([
      terminatedPrompt(),
      canceledPrompt(),
      terminatedBatch(),
      terminatedBatchOfCanceledTasks(),
      canceledBatch(),
      stuckPrompt('prompt', [{ agents: null }]),
      stuckPrompt('unheard-of', []),
      stuckCanceledPrompt(),
      stuckBatch(),
      timedOutPrompt(),
    ])
  })

  it('is detected even if the reconcile schedule was deleted, as after a loss of Temporal data', async () => {
    await temporal.schedule.getHandle(`${service.env.MONGODB_DATABASE}-reconcile`).delete()
    const id = await insertRecord('surround', { text: 'on' })
    expect((await untilEnded(service, id, WITHIN_MS)).body.status).to.equal('completed')
  })

  async function terminatedPrompt(): Promise<void> {
    const id = await submit('slow', { ms: 120_000 })
    await begun(id)
    await byHand('terminate', id)
    const { body } = await untilEnded(service, id, WITHIN_MS)
    expect(body).to.deep.include({
      status: 'failed',
      error: 'The workflow was ended outside the service: terminated.',
      outputs: { error: 'The workflow was ended outside the service: terminated.' },
    })
    expect(body.completed_at).to.be.a('string')
    // What ran is stopped by then, or soon.
    await eventually(
      () => service.counted(id),
      (lines) => lines.some((line) => line.startsWith('aborted')),
    )
  }

  async function canceledPrompt(): Promise<void> {
    const id = await submit('slow', { ms: 120_000 })
    await begun(id)
    await byHand('cancel', id)
    const { body } = await untilEnded(service, id, WITHIN_MS)
    expect(body).to.include({ status: 'canceled', error: null, outputs: null })
    expect((await service.counted(id)).some((line) => line.startsWith('aborted'))).to.equal(true)
  }

  async function timedOutPrompt(): Promise<void> {
    const id = await insertRecord('slow', { ms: 120_000 })
    await temporal.workflow.start('prompt', {
      workflowId: workflowOf(id),
      taskQueue: service.env.MONGODB_DATABASE ?? '',
      args: [{ job: id, agents: ['slow'], priority: 3 }],
      workflowExecutionTimeout: '3 seconds',
    })
    const { body } = await untilEnded(service, id, WITHIN_MS)
    expect(body).to.include({ status: 'failed', error: 'The workflow was ended outside the service: timed out.' })
  }

  async function terminatedBatch(): Promise<void> {
    const { id } = await gatedBatch(['never', 'never', 'never'])
    await byHand('terminate', id)
    const { body } = await batchEnded(id)
    expect(body.status).to.equal('completed')
    expect(body.outputs.summary).to.deep.equal({ total_expected: 3, recorded: 3, succeeded: 0, failed: 3 })
    for (const result of Object.values(body.outputs.results as Record<string, { status: string; response: object }>)) {
      expect(result.status).to.equal('error')
      expect(JSON.stringify(result.response)).to.contain('ended outside the service: terminated')
    }
    // It takes tasks again.
    const gate = randomUUID()
    await service.open(gate)
    const more = { agent_name: 'gated', tasks: [{ gate }], wait: true }
    const added = await service.request('POST', `/api/batches/${id}/add-tasks`, more)
    expect(added.body.status).to.equal('completed')
  }

  /** Its tasks were canceled one by one, and had not come to rest. */
  async function terminatedBatchOfCanceledTasks(): Promise<void> {
    const { id, jobs } = await gatedBatch(['never', 'never'])
    await byHand('terminate', id)
    await Promise.all(jobs.map((job) => service.request('POST', `/api/prompts/${job}/cancel`)))
    for (const job of jobs) {
      const { body } = await untilEnded(service, job, WITHIN_MS)
      expect(body.status).to.equal('canceled')
    }
  }

  async function canceledBatch(): Promise<void> {
    const { id, jobs } = await gatedBatch(['never', 'never'])
    await byHand('cancel', id)
    const { body } = await batchEnded(id)
    expect(body.status).to.equal('canceled')
    expect(body.outputs.summary).to.deep.equal({ total_expected: 2, recorded: 2, succeeded: 0, failed: 2 })
    for (const job of jobs) expect((await untilEnded(service, job, WITHIN_MS)).body.status).to.equal('canceled')
  }

  async function stuckPrompt(type: string, args: unknown[]): Promise<void> {
    const id = await insertRecord('surround', { text: 'on' })
    await startBroken(id, type, args)
    const { body } = await untilEnded(service, id, WITHIN_MS)
    expect(body).to.deep.include({ status: 'completed', outputs: { got: { text: 'on' }, text: 'surrounded' } })
  }

  async function stuckCanceledPrompt(): Promise<void> {
    const id = await insertRecord('surround', {})
    await startBroken(id, 'prompt', [{ agents: null }])
    await service.store.executions.updateOne({ _id: id }, { $set: { started_at: new Date() } })
    const canceled = await service.request('POST', `/api/prompts/${id}/cancel`)
    expect(canceled.body).to.include({ ok: true, status: 'canceled' })
    expect((await untilEnded(service, id, WITHIN_MS)).body.status).to.equal('canceled')
  }

  async function stuckBatch(): Promise<void> {
    const id = randomUUID()
    await startBroken(id, 'batch', [])
    const { body } = await service.request('POST', '/api/agents/surround/batch', { tasks: [{}, {}], batch_id: id })
    expect(body.status).to.equal('submitted')
    const ended = await batchEnded(id)
    expect(ended.body.outputs.summary).to.deep.equal({ total_expected: 2, recorded: 2, succeeded: 2, failed: 0 })
  }
})
