import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Document } from 'mongodb'
import { workflowId } from '../../core/queues.ts'
import { WINDOW_TASKS } from '../../workflows/task-window.ts'
import { startWorker } from '../support/processes.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { FAULT_AGENTS } from './scene.ts'

const FAR_AGENTS = fileURLToPath(new URL('./pool-agents', import.meta.url))
const HOUR_MS = 3_600_000
/** Longer than a task stays in the worker while it sleeps. */
const LONG_SLEEP_MS = 65_000
/** Functions of plain code that a worker runs at once for batches; as activities/run-tasks.ts has it. */
const MAX_FUNCTIONS_AT_ONCE = 256

describe('The tasks of a batch', function () {
  this.timeout(240_000)
  let service: TestService
  let connection: Connection
  let temporal: Client
  /** Begins before the other tests, and ends after them. */
  let dozing: Submitted

  interface Submitted {
    batch_id: string
    job_ids: string[]
  }

  before(async () => {
    service = await startTestService({ agentsDir: FAULT_AGENTS })
    connection = await Connection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' })
    temporal = new Client({ connection, namespace: service.env.TEMPORAL_NAMESPACE ?? '' })
    dozing = await submit('sleeper', [{ ms: 1 }, { ms: LONG_SLEEP_MS }, { ms: 1 }])
  })
  after(async () => {
    await service.stop()
    await connection.close()
  })

  const submit = async (agent: string, tasks: object[]): Promise<Submitted> =>
    (await service.request('POST', `/api/agents/${agent}/batch`, { tasks })).body
  const add = (id: string, agent_name: string, tasks: object[], wait = false) =>
    service.request('POST', `/api/batches/${id}/add-tasks`, { agent_name, tasks, wait })
  const untilBatch = (id: string, holds: (body: Batch) => boolean, withinMs = 120_000) =>
    eventually(async () => (await service.request('GET', `/api/batches/${id}?results=false`)).body, holds, withinMs)
  const summaryOf = async (id: string) => (await service.request('GET', `/api/batches/${id}`)).body.outputs.summary
  const succeeded =
    (count: number) =>
    ({ outputs }: Batch) =>
      outputs.summary.succeeded === count
  const isCompleted = ({ status }: Batch) => status === 'completed'
  const handleOf = (id: string) => temporal.workflow.getHandle(workflowId(service.env.MONGODB_DATABASE ?? '', id))

  interface Batch {
    status: string
    completed_at: string | null
    outputs: { summary: { succeeded: number; failed: number; recorded: number } }
  }

  it('that sleep long leave their range and continue in a separate workflow', async () => {
    await expectOwnWorkflow(dozing.batch_id, dozing.job_ids[1] ?? '')
    expect(await summaryOf(dozing.batch_id)).to.include({ recorded: 2, succeeded: 2 })
  })

  it('run side by side although they were added one by one', async () => {
    const gate = randomUUID()
    const { batch_id, job_ids } = await submit('gated', [{ gate }])
    const ids = [...job_ids]
    for (let added = 0; added < 11; added += 1) {
      await sleep(100)
      ids.push(...(await add(batch_id, 'gated', [{ gate }])).body.added_job_ids)
    }
    // None can end before the gate opens.
    const begun = async () =>
      (await Promise.all(ids.map((id) => service.counted(id)))).filter((lines) => lines.length > 0)
    await eventually(begun, ({ length }) => length === 12)
    await service.open(gate)
    await untilBatch(batch_id, succeeded(12))
  })

  it('continue while some of them take long, even beyond the window', async () => {
    const gate = randomUUID()
    const count = WINDOW_TASKS + 600
    const tasks = Array.from({ length: count }, (_, index) => (index % 50 === 0 ? { gate } : {}))
    const { batch_id } = await submit('gated-model', tasks)
    const { status } = await untilBatch(batch_id, succeeded(count - count / 50), 180_000)
    expect(status).to.equal('running')
    await service.open(gate)
    const { outputs } = await untilBatch(batch_id, isCompleted)
    expect(outputs.summary).to.deep.equal({ total_expected: count, recorded: count, succeeded: count, failed: 0 })
  })

  it('run with any agent name', async () => {
    const { batch_id } = await submit('constructor', [{}, {}])
    await untilBatch(batch_id, succeeded(2))
    const { body } = await add(batch_id, 'constructor', [{}], true)
    expect(body.status).to.equal('completed')
  })

  it('of one agent run while those of another agent wait for a worker of its pool', async () => {
    const pool = `far-${randomUUID().slice(0, 8)}`
    const far = await startWorker({ env: service.env, pool, agentsDir: FAR_AGENTS })
    await far.kill9()
    try {
      const away = Array.from({ length: 600 }, (_, text) => ({ text }))
      const { batch_id } = await submit('far-coder', away)
      await add(
        batch_id,
        'instant',
        Array.from({ length: 60 }, () => ({})),
      )
      await untilBatch(batch_id, succeeded(60))
      await far.restart()
      await untilBatch(batch_id, succeeded(660))
    } finally {
      await far.stop()
    }
  })

  it('of plain code do not run all at once in a worker, however many batches they come from', async () => {
    const gate = randomUUID()
    const tasks = Array.from({ length: 150 }, () => ({ gate }))
    const batches = await Promise.all([1, 2, 3, 4].map(() => submit('side-by-side', tasks)))
    await eventually(
      () => service.counted(gate),
      (lines) => lines.length >= MAX_FUNCTIONS_AT_ONCE,
    )
    await service.open(gate)
    const most = await Promise.all(
      batches.map(async ({ batch_id }) => {
        await untilBatch(batch_id, succeeded(150))
        const { body } = await service.request('GET', `/api/batches/${batch_id}`)
        const results = Object.values<{ response: { result: { atOnce: number } } }>(body.outputs.results)
        return Math.max(...results.map(({ response }) => response.result.atOnce))
      }),
    )
    expect(Math.max(...most)).to.equal(MAX_FUNCTIONS_AT_ONCE)
  })

  it('end with their canceled batch while they wait for capacity', async () => {
    const [held, canceled] = [randomUUID(), randomUUID()]
    const holding = await submit(
      'side-by-side',
      Array.from({ length: MAX_FUNCTIONS_AT_ONCE }, () => ({ gate: held })),
    )
    await eventually(
      () => service.counted(held),
      (lines) => lines.length === MAX_FUNCTIONS_AT_ONCE,
    )
    const { batch_id } = await submit(
      'side-by-side',
      Array.from({ length: 300 }, () => ({ gate: canceled })),
    )
    await eventually(
      async () => (await handleOf(batch_id).describe()).raw.pendingActivities ?? [],
      (ranges) => ranges.length > 0 && ranges.every(({ lastStartedTime }) => lastStartedTime != null),
    )
    await service.request('POST', `/api/batches/${batch_id}/cancel`)
    await untilBatch(batch_id, ({ status, completed_at }) => status === 'canceled' && completed_at !== null, 60_000)
    expect(await service.counted(canceled)).to.deep.equal([])
    await service.open(held)
    await untilBatch(holding.batch_id, succeeded(MAX_FUNCTIONS_AT_ONCE))
  })

  it('cost the same to add to a finished batch of 20,000 as to one of 10', async () => {
    const [small, large] = [await finishedBatch(10), await finishedBatch(20_000)]
    await service.store.db.command({ profile: 2 })
    for (const id of [small, large]) {
      const { body } = await add(id, 'instant', [{ added: true }], true)
      expect(body.status).to.equal('completed')
    }
    await service.store.db.command({ profile: 0 })
    const [few, many] = [await examinedFor(small), await examinedFor(large)]
    expect(few).to.be.greaterThan(0)
    expect(many).to.be.at.most(2 * few + 20)
  })

  it('that sleep for long complete the batch when they wake up and end', async () => {
    const [, id = ''] = dozing.job_ids
    const { outputs } = await untilBatch(dozing.batch_id, isCompleted, 2 * LONG_SLEEP_MS)
    expect(outputs.summary).to.include({ recorded: 3, succeeded: 3, failed: 0 })
    // In its range, under its own workflow, and after the wait: the reconciler, which comes by meanwhile, leaves it alone. Once more
    // where it slept before the activity that was to follow it had come: that enters it again, which records nothing anew.
    const entries = await service.counted(id)
    expect(entries.pop()).to.equal('awake')
    expect(entries).to.have.lengthOf.within(3, 4)
    expect(new Set(entries)).to.deep.equal(new Set(['entered']))
  })

  it('that sleep long are canceled with the batch', async () => {
    const { batch_id, job_ids } = await submit('sleeper', [{ ms: 1 }, { ms: HOUR_MS }])
    const [, id = ''] = job_ids
    await expectOwnWorkflow(batch_id, id)
    await service.request('POST', `/api/batches/${batch_id}/cancel`)
    await untilBatch(batch_id, ({ status, completed_at }) => status === 'canceled' && completed_at !== null, 90_000)
    expect((await untilEnded(service, id)).body.status).to.equal('canceled')
    await eventually(
      () => handleOf(id).describe(),
      ({ status }) => status.name !== 'RUNNING',
    )
  })

  /** A task has a workflow of its own, with nothing but a timer, and the batch has nothing left to do. */
  async function expectOwnWorkflow(batchId: string, taskId: string): Promise<void> {
    await eventually(
      async () => (await service.store.open.findOne({ _id: taskId }))?.detached,
      (detached) => detached === true,
    )
    // It is started in the moment after its task has left the range.
    await eventually(
      () =>
        handleOf(taskId)
          .describe()
          .catch(() => undefined),
      (found) => found?.status.name === 'RUNNING' && (found.raw.pendingActivities?.length ?? 0) === 0,
    )
    await eventually(
      () => handleOf(batchId).describe(),
      ({ status }) => status.name === 'COMPLETED',
    )
  }

  /** A batch that has ended, as it is stored; its tasks were never run. */
  async function finishedBatch(count: number): Promise<string> {
    const id = randomUUID()
    const at = new Date()
    const ended = { created_at: at, completed_at: at }
    const tasks = Array.from({ length: count }, (_, index) => ({
      ...{ _id: randomUUID(), kind: 'task' as const, prompt_name: 'instant', mode: 'single' as const, error: null },
      ...{ agents: [{ name: 'instant' }], status: 'completed' as const, usage: {}, started_at: at, ...ended },
      ...{ inputs: { json: '{}' }, outputs: { json: '{}' }, batch_id: id, batch_index: index },
    }))
    await service.store.executions.insertMany(tasks, { ordered: false })
    await service.store.batches.insertOne({
      ...{ _id: id, agent_name: 'instant', agents: ['instant'], status: 'completed', added_at: at, ...ended },
      ...{ task_count: count, succeeded: count, failed: 0 },
    })
    return id
  }

  /** Documents and keys that MongoDB looked at for a batch. */
  async function examinedFor(batchId: string): Promise<number> {
    const profiled = service.store.db.collection<Document>('system.profile')
    const operations = await profiled.find({ ns: /\.(executions|open|batches)$/ }).toArray()
    const own = operations.filter(({ command }) => JSON.stringify(command).includes(batchId))
    return own.reduce((sum, { docsExamined = 0, keysExamined = 0 }) => sum + docsExamined + keysExamined, 0)
  }
})
