import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { workflowId } from '../../core/queues.ts'
import { startWorker, type ServiceProcess } from '../support/processes.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { FAULT_AGENTS } from './scene.ts'

const MOVING_AGENTS = fileURLToPath(new URL('./moving-agents', import.meta.url))
const FAR_AGENTS = fileURLToPath(new URL('./pool-agents', import.meta.url))
const HOUR_MS = 3_600_000
/** Above it a wait holds no worker. */
const SHORT_SLEEP_MS = 60_000

describe('An agent that calls other agents', function () {
  this.timeout(300_000)
  let service: TestService
  let far: ServiceProcess
  let connection: Connection
  let temporal: Client
  /** Begins before the other tests, and ends after them. */
  let dozing: string
  /** The same: its called agent moves from one pool to another. */
  let moving: { id: string; first: ServiceProcess; second: Promise<ServiceProcess> }

  before(async () => {
    service = await startTestService({ agentsDir: FAULT_AGENTS })
    const pool = `far-${randomUUID().slice(0, 8)}`
    far = await startWorker({ env: service.env, pool, agentsDir: FAR_AGENTS })
    connection = await Connection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' })
    temporal = new Client({ connection, namespace: service.env.TEMPORAL_NAMESPACE ?? '' })
    dozing = await submit('sleeper', { ms: SHORT_SLEEP_MS + 5_000 })
    moving = await beginToMove()
  })
  after(async () => {
    await Promise.all([far.stop(), moving.first.stop(), moving.second.then((worker) => worker.stop())])
    await service.stop()
    await connection.close()
  })

  const submit = async (prompt_name: string, inputs: object): Promise<string> =>
    (await service.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id
  const completed = async (id: string, withinMs?: number) => {
    const { body } = await untilEnded(service, id, withinMs)
    expect(body.status, JSON.stringify(body)).to.equal('completed')
    return body.outputs
  }
  const handleOf = (id: string) => temporal.workflow.getHandle(workflowId(service.env.MONGODB_DATABASE ?? '', id))
  const counted = (id: string, holds: (lines: string[]) => boolean) => eventually(() => service.counted(id), holds)

  /** Kills the pool of an agent that was called, and starts another pool that hosts it. */
  async function beginToMove(): Promise<typeof moving> {
    const inPool = () =>
      startWorker({ env: service.env, pool: `moving-${randomUUID().slice(0, 8)}`, agentsDir: MOVING_AGENTS })
    const first = await inPool()
    const id = await submit('boss', { agent: 'mover', inputs: {} })
    await counted(id, (lines) => lines.some((line) => line.startsWith('waits')))
    await first.kill9()
    return { id, first, second: inPool() }
  }

  it('gets every output of 500 concurrent calls from a tool, in each of three prompts on one worker', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => submit('crowd', { calls: 500 })))
    for (const id of ids) expect(await completed(id, 180_000)).to.deep.equal({ result: '500 answers' })
  })

  for (const [how, together] of [
    ['one after the other', false],
    ['side by side', true],
  ] as const) {
    it(`${how}, and in another order when it is tried again, gets each answer for the call it was for`, async () => {
      const texts = ['a', 'b', 'c', 'a']
      const id = await submit('reorderer', { texts, together })
      const { answers } = await completed(id)
      const lines = await service.counted(id)
      const [first = []] = lines.flatMap((line) => (line.startsWith('answers ') ? [JSON.parse(line.slice(8))] : []))
      const inOrder = (list: object[]) => list.map((each) => JSON.stringify(each)).sort()
      expect(inOrder(answers)).to.deep.equal(inOrder(first))
      if (together) expect(answers.map(({ text }: { text: string }) => text)).to.deep.equal(texts)
      const told = lines.filter((line) => line.startsWith('told'))
      expect(told.sort()).to.deep.equal(['told a', 'told a', 'told b', 'told c'])
    })
  }

  it('makes a call once even if it fails and is retried during the call', async () => {
    const id = await submit('hasty', { ms: 3_000 })
    expect(await completed(id)).to.deep.equal({ answer: { tag: null } })
    expect(await service.counted(id)).to.deep.equal(['entered', 'stepped', 'begin', 'entered', 'end'])
  })

  it('stops a call in progress when it ends', async () => {
    const id = await submit('racer', { ms: 120_000 })
    expect(await completed(id)).to.deep.equal({ won: true })
    await counted(id, (lines) => lines.some((line) => line.startsWith('aborted')))
  })

  it('from plain code is their parent in the trace, even for an immediate call', async () => {
    const id = await submit('boss', { agent: 'upper', inputs: { text: 'here' } })
    expect(await completed(id)).to.deep.equal({ answer: 'HERE' })
    const { body } = await service.request('GET', `/api/traces?job_id=${id}`)
    const events = body.traces as { id: number; parent_id: number | null; event_type: string }[]
    const [start, delegation, called] = events
    expect(events.slice(0, 3).map(({ event_type }) => event_type)).to.deep.equal([
      'task_start',
      'delegation',
      'task_start',
    ])
    expect([delegation?.parent_id, called?.parent_id]).to.deep.equal([start?.id, delegation?.id])
  })

  it('of another pool from plain code gets their outputs', async () => {
    const id = await submit('boss', { agent: 'far-coder', inputs: { text: 'away' } })
    expect(await completed(id)).to.deep.equal({ answer: { text: 'far away' } })
    expect(await service.counted(id)).to.include(`far ${far.pid}`)
  })

  it('of another pool, which call back into the first pool, gets their outputs', async () => {
    const inputs = { agent: 'far-boss', inputs: { agent: 'upper', inputs: { text: 'and back' } } }
    expect(await completed(await submit('boss', inputs))).to.deep.equal({ answer: { answer: 'AND BACK' } })
  })

  it('of another pool as delegates gets their outputs, and an error for invalid arguments', async () => {
    const id = await submit('far-delegator', {})
    const [model, coder, own, wrong] = JSON.parse((await completed(id)).result)
    expect([model, coder, own]).to.deep.equal(['far one', { text: 'far two' }, ''])
    expect(wrong.error).to.contain('Wrong arguments for upper').and.to.contain('"query"')
    const traces = await service.store.traces.find({ job_id: id }).toArray()
    const count = (type: string) => traces.filter(({ event_type }) => event_type === type).length
    expect({
      delegations: count('delegation'),
      starts: count('task_start'),
      ends: count('task_complete'),
    }).to.deep.equal({ delegations: 3, starts: 4, ends: 4 })
  })

  it('of another pool from a tool without retries gets the output, because waiting does not count as a failure', async () => {
    const id = await submit('careful', {})
    expect(JSON.parse((await completed(id)).result).result).to.deep.equal({ text: 'far asked' })
  })

  it('of another pool without awaiting a call stops that call and its workflow', async () => {
    const id = await submit('far-racer', { text: 'first' })
    expect(await completed(id)).to.deep.equal({ text: 'far first' })
    await counted(id, (lines) => lines.some((line) => line.startsWith('aborted')))
    await eventually(
      () => handleOf(id).describe(),
      ({ status }) => status.name === 'COMPLETED',
    )
  })

  it('of another pool 600 times concurrently learns which call failed, and can end at the first failure', async () => {
    const all = await submit('far-crowd', { calls: 600, strict: false })
    const strict = await submit('far-crowd', { calls: 600, strict: true })
    expect(await completed(all, 180_000)).to.deep.equal({ failed: [3] })
    const { body } = await untilEnded(service, strict, 180_000)
    expect(body.status).to.equal('failed')
    expect(body.error).to.contain('that is bad')
  })

  it('can be part of a chain over two pools', async () => {
    const agents = ['instant', 'far-coder', 'surround']
    const chain = { prompt_name: 'instant', inputs: { text: 'off' }, mode: 'sequential', agents }
    const { body } = await service.request('POST', '/api/prompts', chain)
    const got = { text: 'far off' }
    expect(await completed(body.prompt_id)).to.deep.equal({ got, text: 'surrounded' })
  })

  it('executes step, callAgent and sleep once, even if its worker is killed', async () => {
    const id = await submit('stepping-code', { ms: 1_000 })
    await counted(id, (lines) => lines.some((line) => line.startsWith('{')))
    await service.worker.kill9()
    await service.worker.restart()
    const lines = await counted(id, (each) => each.filter((line) => line.startsWith('{')).length === 2)
    await service.open(id)
    const outputs = await completed(id)
    const values = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
    expect(values).to.deep.equal([outputs, outputs])
    const done = lines.filter((line) => !line.startsWith('{'))
    expect(done).to.deep.equal([
      ...['entered', 'first', 'told between', 'slept long', 'last'],
      ...['entered', 'slept no more'],
    ])
  })

  it('and sleeps for an hour occupies no worker, only a timer of its workflow, and can be canceled', async () => {
    const id = await submit('sleeper', { ms: HOUR_MS })
    const pending = async () => {
      const { raw } = await handleOf(id).describe()
      return { activities: raw.pendingActivities?.length ?? 0, tasks: raw.pendingWorkflowTask == null ? 0 : 1 }
    }
    await counted(id, (lines) => lines.length === 1)
    await eventually(pending, ({ activities, tasks }) => activities + tasks === 0)
    const { events } = await handleOf(id).fetchHistory()
    const timers = events?.flatMap((event) => (event.timerStartedEventAttributes == null ? [] : [event])) ?? []
    expect(timers).to.have.length(1)
    const seconds = Number(timers[0]?.timerStartedEventAttributes?.startToFireTimeout?.seconds)
    expect(seconds).to.be.within(HOUR_MS / 1_000 - 60, HOUR_MS / 1_000)
    await service.request('POST', `/api/prompts/${id}/cancel`)
    expect((await untilEnded(service, id, 10_000)).body.status).to.equal('canceled')
  })

  it('and sleeps for more than a minute runs its code again after the sleep and ends', async () => {
    expect(await completed(dozing, 4 * SHORT_SLEEP_MS)).to.deep.equal({ awake: true })
    // Once more when it fell asleep between the moment beside its workflow and the activity that was to follow it.
    expect((await service.counted(dozing)).join(' ')).to.match(/^entered( entered){1,2} awake$/)
    const { created_at, completed_at } = (await service.request('GET', `/api/prompts/${dozing}`)).body
    expect(Date.parse(completed_at) - Date.parse(created_at)).to.be.at.least(SHORT_SLEEP_MS + 5_000)
  })

  it('continues in another pool that hosts it when its pool is gone, and repeats no recorded step', async () => {
    const { id, second } = moving
    const { pid } = await second
    const waits = (lines: string[]) => lines.filter((line) => line.startsWith('waits'))
    // The dead pool's queue is waited for before the agent is looked for elsewhere.
    await eventually(
      () => service.counted(id),
      (lines) => waits(lines).length === 2,
      200_000,
    )
    await service.open(id)
    const { answer } = await completed(id)
    expect(answer.ended).to.equal(pid)
    expect(answer.paid).to.not.equal(pid)
    const lines = await service.counted(id)
    expect(lines.filter((line) => line === 'paid')).to.have.length(1)
  })
})
