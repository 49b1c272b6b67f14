import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { eventually, untilEnded, type Answer, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

describe('Chat', function () {
  this.timeout(120_000)
  let service: TestService
  const ask = (agent: string, query: Record<string, string>) =>
    service.request('GET', `/api/agents/${agent}/chat?${new URLSearchParams(query).toString()}`)
  const send = (agent: string, body: unknown) => service.request('POST', `/api/agents/${agent}/chat`, body)
  const both = (agent: string, fields: Record<string, unknown>): Promise<Answer>[] => [
    ask(agent, Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))),
    send(agent, fields),
  ]

  before(async () => {
    service = await startScene()
  })
  after(() => service.stop())

  it('returns the response of the agent', async () => {
    for (const asked of both('instant', { message: 'Grüß dich 👋' })) {
      const { status, body } = await asked
      expect(status).to.equal(200)
      expect(body).to.deep.equal({
        task_id: body.task_id,
        status: 'completed',
        response: { message: 'Grüß dich 👋' },
      })
      const execution = (await service.request('GET', `/api/jobs/${body.task_id}`)).body
      expect(execution).to.deep.include({ pipeline_name: 'instant', inputs: { message: 'Grüß dich 👋' } })
    }
  })

  it('creates a separate task for each request, even for concurrent equal ones', async () => {
    const message = randomUUID()
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask('instant', { message })))
    expect(answers.map(({ body }) => body.status)).to.deep.equal(Array(6).fill('completed'))
    expect(new Set(answers.map(({ body }) => body.task_id)).size).to.equal(6)
  })

  it('wraps a response that is not an object', async () => {
    const { body } = await send('endless', { message: 'x' })
    expect(body.status).to.equal('failed')
    expect((await send('upper', { message: 'x' })).body.response).to.deep.equal({ result: '' })
  })

  it('returns at once with wait=false', async () => {
    for (const asked of both('instant', { message: 'later', wait: false })) {
      const { status, body } = await asked
      expect(status).to.equal(200)
      expect(body).to.deep.equal({ task_id: body.task_id, status: 'submitted' })
      await untilEnded(service, body.task_id)
      const resolved = await service.request('GET', `/api/responses/${body.task_id}/resolved`)
      expect(resolved.body.data).to.deep.equal({ message: 'later' })
    }
  })

  it('returns 200 with status timeout after the timeout, and the task continues', async () => {
    for (const asked of both('patient', { message: randomUUID(), timeout: 0.2 })) {
      const { status, body } = await asked
      expect(status).to.equal(200)
      expect(Object.keys(body).sort()).to.deep.equal(['message', 'status', 'task_id'])
      expect(body.status).to.equal('timeout')
      expect(body.message).to.contain(body.task_id)
      const early = await service.request('GET', `/api/responses/${body.task_id}/resolved`)
      expect(early.status).to.equal(404)
      expect(early.body.detail).to.contain('not ended')
      await eventually(
        () => service.counted(body.task_id),
        (lines) => lines.length > 0,
      )
      await service.open(body.task_id)
      await untilEnded(service, body.task_id)
      const late = await service.request('GET', `/api/responses/${body.task_id}/resolved`)
      expect(late.body.data).to.deep.equal({ message: 'at last' })
    }
  })

  it('accepts fractions of a second as timeout', async () => {
    for (const timeout of [270.18248954541156, 0.0004]) {
      for (const asked of both('instant', { message: 'x', timeout })) {
        const { status, body } = await asked
        expect(status, String(timeout)).to.equal(200)
        expect(body.status).to.be.oneOf(timeout > 1 ? ['completed'] : ['completed', 'timeout'])
      }
    }
  })

  it('returns 200 with status failed when the agent fails', async () => {
    for (const asked of both('failing', { message: 'no luck today' })) {
      const { status, body } = await asked
      expect(status).to.equal(200)
      expect(body).to.deep.equal({
        task_id: body.task_id,
        status: 'failed',
        response: { error: 'no luck today' },
      })
    }
  })

  it('returns 200 with status canceled after a cancel', async () => {
    const message = randomUUID()
    const waiting = send('patient', { message })
    const found = await eventually(
      () => service.store.executions.findOne({ kind: 'chat', 'inputs.json': { $regex: message } } as object),
      (execution) => execution !== null,
    )
    await service.request('POST', `/api/prompts/${found?._id}/cancel`)
    expect((await waiting).body).to.deep.equal({ task_id: found?._id, status: 'canceled', response: null })
  })

  it('rejects invalid timeouts and messages before it looks up the agent', async () => {
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{}, /message/],
      [{ message: '' }, /message/],
      [{ message: 'x', timeout: 0 }, /timeout/],
      [{ message: 'x', timeout: -1 }, /timeout/],
      [{ message: 'x', timeout: 600.1 }, /timeout/],
      [{ message: 'x', timeout: 'soon' }, /timeout/],
      [{ message: 'x', wait: 'perhaps' }, /wait/],
    ]
    for (const [fields, detail] of wrong) {
      for (const asked of both('nobody', fields)) {
        const { status, body } = await asked
        expect(status, JSON.stringify(fields)).to.equal(400)
        expect(body.detail).to.match(detail)
      }
    }
    for (const asked of both('nobody', { message: 'x' })) expect((await asked).status).to.equal(404)
    for (const asked of both('instant', { message: 'x', timeout: 600 })) expect((await asked).status).to.equal(200)
  })
})
