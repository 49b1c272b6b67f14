import { expect } from 'chai'
import { openObjects, type Objects } from '../support/objects.ts'
import { revive } from '../support/revive.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { NO_JSON } from './agents/_no-json.ts'
import { FAULT_AGENTS } from './scene.ts'

const LARGE = 200_000

describe('A faulty run', function () {
  this.timeout(120_000)
  let service: TestService
  let objects: Objects

  before(async () => {
    service = await startTestService({ agentsDir: FAULT_AGENTS })
    objects = openObjects(service.env)
  })
  after(async () => {
    await service.stop()
    objects.close()
  })

  const submit = async (prompt_name: string, inputs: object = {}): Promise<string> =>
    (await service.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id
  const counted = (id: string, times: number) =>
    eventually(
      () => service.counted(id),
      (lines) => lines.length >= times,
    )
  const errorsOf = async (id: string) => {
    const { body } = await service.request('GET', `/api/traces?job_id=${id}`)
    const events: { event_type: string; payload: { error: string; code: string } }[] = body.traces
    return events.filter(({ event_type }) => event_type === 'error').map(({ payload }) => payload)
  }
  /** One that records steps, and one that records nothing before its end. */
  const submitNeighbours = async (): Promise<string[]> => {
    const ids = [await submit('laborer', { steps: 12, calls: 1, ms: 1_000 }), await submit('patient')]
    await Promise.all(ids.map((id) => counted(id, 1)))
    return ids
  }
  const expectCompleted = async (ids: string[]): Promise<void> => {
    for (const id of ids) {
      const { body } = await untilEnded(service, id)
      expect(body.status, JSON.stringify(body)).to.equal('completed')
    }
  }

  it('whose tool returns a value that is not JSON gets an error result for each call, made once', async () => {
    const id = await submit('no-json-tool')
    const { body } = await untilEnded(service, id)
    expect(body.status, JSON.stringify(body)).to.equal('completed')
    const errors: unknown[] = JSON.parse(body.outputs.result)
    expect(errors).to.have.length(Object.keys(NO_JSON).length)
    for (const error of errors) expect(error).to.be.a('string').with.length.greaterThan(10)
    expect((await service.counted(id)).sort()).to.deep.equal(Object.keys(NO_JSON).sort())
  })

  it('whose code returns a value that is not JSON fails with an error, and runs once', async () => {
    for (const what of Object.keys(NO_JSON)) {
      const id = await submit('no-json', { what })
      const { body } = await untilEnded(service, id)
      expect(body.status, what).to.equal('failed')
      expect(body.error, what).to.be.a('string').with.length.greaterThan(10)
      expect(await service.counted(id)).to.deep.equal(['begin'])
    }
  })

  for (const [where, agent, message] of [
    ['in a timer of its code', 'stray', 'thrown in a timer'],
    ['in a promise of a tool that nobody awaits', 'stray-tool', 'rejected and not awaited'],
  ] as const) {
    it(`that throws ${where} fails alone, and its worker goes on`, async () => {
      const { pid } = service.worker
      const neighbours = await submitNeighbours()
      const id = await submit(agent)
      const { body } = await untilEnded(service, id)
      expect(body).to.include({ status: 'failed', error: message })
      expect((await errorsOf(id)).map(({ code }) => code)).to.deep.equal(['stray_error'])
      expect(await service.counted(id)).to.deep.equal([`begin ${pid}`])
      await service.open(neighbours[1] ?? '')
      await expectCompleted(neighbours)
      expect(service.worker.pid).to.equal(pid)
    })
  }

  it('whose objects in the object store are lost fails with an error, as a prompt, in a chain and in a batch', async () => {
    const agents = ['big', 'patient']
    const chain = { prompt_name: 'big', mode: 'sequential', agents, inputs: { bytes: LARGE } }
    const chained: string = (await service.request('POST', '/api/prompts', chain)).body.prompt_id
    await counted(chained, 1)
    await service.worker.kill9()
    try {
      const inputs = { text: 'x'.repeat(LARGE) }
      const prompt = await submit('instant', inputs)
      const batch = await service.request('POST', '/api/agents/instant/batch', { tasks: [inputs, {}] })
      const [task = '', whole = '']: string[] = batch.body.job_ids
      for (const id of [prompt, task]) {
        const pointer = (await service.store.executions.findOne({ _id: id }))?.inputs
        await objects.remove(pointer !== undefined && 'pointer' in pointer ? pointer.pointer.key : '')
      }
      // The record of the first agent's end, and its answer as the trace shows it.
      const answers = await objects.list(`steps/${chained}/0.`)
      expect(answers).to.have.length(2)
      await Promise.all(answers.map(objects.remove))
      await service.worker.restart()
      for (const id of [prompt, task, chained]) {
        // Its inputs are gone, so that the prompt itself cannot be shown.
        const { body } = await eventually(
          () => service.request('GET', `/api/responses/${id}/resolved`),
          ({ status }) => status === 200,
        )
        expect(body.data.error).to.match(/The object store has no .*: it was lost or deleted/)
        expect((await errorsOf(id)).map(({ code }) => code)).to.deep.equal(['object_lost'])
      }
      expect((await untilEnded(service, whole)).body.status).to.equal('completed')
    } finally {
      await revive(service.worker)
    }
  })
})

describe('A value just below the largest limit of inline values', function () {
  this.timeout(180_000)
  const LIMIT = 4_194_304
  const textOf = (rest: string): string => 'x'.repeat(LIMIT - rest.length)
  let service: TestService

  before(async () => {
    service = await startTestService({ agentsDir: FAULT_AGENTS, env: { RESPONSE_OFFLOAD_BYTES: String(LIMIT) } })
  })
  after(() => service.stop())

  const submit = async (prompt_name: string, inputs: object): Promise<string> =>
    (await service.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id

  it('fits into a document, for inputs with outputs, and for arguments with results of tools', async () => {
    const whole = { text: textOf('{"text":""}') }
    const ids = await Promise.all([submit('instant', whole), submit('parrot', whole)])
    for (const id of ids) {
      const { body } = await untilEnded(service, id, 120_000)
      expect(body.status, body.error).to.equal('completed')
      expect(body.outputs).to.deep.equal(whole)
    }
    const call = await service.store.traces.findOne({ job_id: ids[1], event_type: 'tool_call' })
    expect(call?.payload.length).to.be.above(3 * whole.text.length)
  })

  it('that makes a document too large fails only its prompt or task, without endless retries', async () => {
    const value = textOf('{"value":""}')
    const gate = `full-${LIMIT}`
    const prompt = await submit('gated', { gate, value })
    const tasks = [{ gate, value }, { gate }]
    const { body } = await service.request('POST', '/api/agents/gated/batch', { tasks })
    const full = { $set: { other: 'x'.repeat(3 * LIMIT) } }
    await service.store.executions.updateMany({ _id: { $in: [prompt, body.task_ids[0]] } }, full as never)
    await service.open(gate)
    const batch = await eventually(
      () => service.request('GET', `/api/batches/${body.batch_id}`),
      (answer) => answer.body.status === 'completed',
      120_000,
    )
    expect(batch.body.outputs.summary).to.include({ succeeded: 1, failed: 1 })
    expect((await untilEnded(service, prompt, 120_000)).body.status).to.equal('failed')
  })
})
