import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { eventually, type Answer, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

describe('Batches', function () {
  this.timeout(180_000)
  let service: TestService
  const submit = (agent: string, body: unknown) => service.request('POST', `/api/agents/${agent}/batch`, body)
  const add = (id: string, body: unknown) => service.request('POST', `/api/batches/${id}/add-tasks`, body)
  /** A batch as it is; what it says of itself must fit together at every look. */
  const look = async (id: string, query = ''): Promise<Answer> => {
    const answer = await service.request('GET', `/api/batches/${id}${query}`)
    if (answer.status !== 200) return answer
    const { task_count, task_ids, job_ids, inputs, outputs, status, completed_at } = answer.body
    const { total_expected, recorded, succeeded, failed } = outputs.summary
    expect([total_expected, task_ids.length, job_ids.length, inputs.tasks.length]).to.deep.equal(
      Array(4).fill(task_count),
    )
    expect(new Set(job_ids).size).to.equal(task_count)
    expect(recorded).to.equal(succeeded + failed)
    const results = Object.values(outputs.results) as { status: string }[]
    if (query === '') {
      expect(results).to.have.length(recorded)
      expect(results.filter((result) => result.status === 'success')).to.have.length(succeeded)
      expect(job_ids).to.include.members(Object.keys(outputs.results))
    }
    if (status === 'completed') expect(recorded).to.equal(task_count)
    // Of a canceled batch all tasks are recorded at once; it has ended when those that ran have stopped.
    if (status !== 'canceled') expect(completed_at === null).to.equal(recorded < task_count)
    else if (completed_at !== null) expect(recorded).to.equal(task_count)
    return answer
  }
  const untilCompleted = (id: string) =>
    eventually(
      () => look(id),
      ({ body }) => body.status !== 'submitted' && body.status !== 'running',
      120_000,
    )
  const untilBegun = (id: string) =>
    eventually(
      () => service.counted(id),
      (lines) => lines.length > 0,
    )
  const numbered = (count: number, more: object = {}) => Array.from({ length: count }, (_, n) => ({ n, ...more }))

  before(async () => {
    service = await startScene()
  })
  after(() => service.stop())

  it('return at once without wait, and complete', async () => {
    const { status, body } = await submit('instant', { tasks: numbered(3) })
    expect(status).to.equal(200)
    const { batch_id, task_ids } = body
    expect(body).to.deep.equal({
      batch_id,
      agent_name: 'instant',
      status: 'submitted',
      task_count: 3,
      task_ids,
      job_ids: task_ids,
      trace_ids: task_ids,
    })
    const ended = (await untilCompleted(batch_id)).body
    expect(ended).to.deep.equal({
      batch_id,
      cost: { usd: 0, complete: true, by_model: [] },
      budget: null,
      budgets: {},
      submitted_by: null,
      agent_name: 'instant',
      status: 'completed',
      task_count: 3,
      task_ids,
      job_ids: task_ids,
      inputs: { tasks: numbered(3) },
      outputs: {
        results: Object.fromEntries(
          numbered(3).map((task, index) => [
            task_ids[index],
            { status: 'success', response: { status: 'success', result: task, error: null } },
          ]),
        ),
        summary: { total_expected: 3, recorded: 3, succeeded: 3, failed: 0 },
      },
      created_at: ended.created_at,
      completed_at: ended.completed_at,
    })
    const task = (await service.request('GET', `/api/jobs/${task_ids[1]}`)).body
    expect(task).to.deep.include({ status: 'completed', pipeline_name: 'instant', inputs: { n: 1 }, outputs: { n: 1 } })
  })

  it('with wait return results in the order of the tasks', async () => {
    const tasks = [
      { ms: 300, tag: 'a' },
      { ms: 1, tag: 'b' },
      { ms: 100, tag: 'c' },
    ]
    const { body } = await submit('slow', { tasks, wait: true })
    expect(body).to.include({ status: 'completed', task_count: 3, agent_name: 'slow' })
    expect(body.results.map(({ task_id }: { task_id: string }) => task_id)).to.deep.equal(body.task_ids)
    expect(body.results.map(({ response }: { response: unknown }) => response)).to.deep.equal(
      tasks.map(({ tag }) => ({ status: 'success', result: { tag }, error: null })),
    )
  })

  it('count failures, and show outputs while they run', async () => {
    const gate = randomUUID()
    const tasks = [
      { gate, value: 1 },
      { gate, fail: true },
      { gate, value: 'x' },
    ]
    const { batch_id, job_ids } = (await submit('gated', { tasks, batch_id: null })).body
    const early = (await look(batch_id)).body
    expect(early.outputs).to.deep.equal({
      results: {},
      summary: { total_expected: 3, recorded: 0, succeeded: 0, failed: 0 },
    })
    await service.open(gate)
    const { body } = await untilCompleted(batch_id)
    expect(body.status).to.equal('completed')
    expect(body.outputs.summary).to.deep.equal({ total_expected: 3, recorded: 3, succeeded: 2, failed: 1 })
    expect(body.outputs.results[job_ids[1]]).to.deep.equal({
      status: 'error',
      response: {
        status: 'error',
        result: { error: 'the gate opened and it failed' },
        error: 'the gate opened and it failed',
      },
    })
    const failed = (await service.request('GET', `/api/jobs/${job_ids[1]}`)).body
    expect(failed).to.include({ status: 'failed', error: 'the gate opened and it failed' })
  })

  it('omit results on request', async () => {
    const { batch_id } = (await submit('instant', { tasks: numbered(2), wait: true })).body
    const { body } = await look(batch_id, '?results=false')
    expect(body.outputs).to.deep.equal({
      results: {},
      summary: { total_expected: 2, recorded: 2, succeeded: 2, failed: 0 },
    })
    expect((await look(batch_id, '?results=perhaps')).status).to.equal(400)
  })

  it('accept an id of the client, for a new batch or to add tasks', async () => {
    const batch_id = `My_batch.${randomUUID()}`
    const first = await submit('instant', { tasks: numbered(2), batch_id, wait: true })
    expect(first.body).to.include({ batch_id, task_count: 2, agent_name: 'instant' })
    const second = await submit('upper', { tasks: [{ text: 'x' }], batch_id, wait: true })
    expect(second.body).to.include({ batch_id, task_count: 1, agent_name: 'instant', status: 'completed' })
    expect(second.body.results[0].response.result).to.deep.equal({ result: 'X' })
    const { body } = await look(batch_id)
    expect(body.task_count).to.equal(3)
    expect(body.task_ids).to.deep.equal([...first.body.task_ids, ...second.body.task_ids])
    const tasks = await Promise.all(
      body.task_ids.map((id: string) => service.request('GET', `/api/jobs/${id}`)) as Promise<Answer>[],
    )
    expect(tasks.map((task) => task.body.pipeline_name)).to.deep.equal(['instant', 'instant', 'upper'])
  })

  it('are rejected when a field is invalid, and start nothing', async () => {
    const before = await service.store.executions.countDocuments()
    const prompt = (await service.request('POST', '/api/prompts', { prompt_name: 'instant', inputs: {} })).body
      .prompt_id
    const cases: [unknown, RegExp][] = [
      [{}, /tasks/],
      [{ tasks: [] }, /tasks/],
      [{ tasks: {} }, /tasks/],
      [{ tasks: [{}, 1] }, /tasks\[1\]/],
      [{ tasks: [{}], wait: 'yes' }, /wait/],
      [{ tasks: [{}], batch_id: '' }, /batch_id/],
      [{ tasks: [{}], batch_id: 'a/b' }, /batch_id/],
      [{ tasks: [{}], batch_id: 'a'.repeat(129) }, /batch_id/],
      [{ tasks: [{}], batch_id: 7 }, /batch_id/],
      [{ tasks: [{}], batch_id: '.' }, /batch_id/],
      [{ tasks: [{}], batch_id: '..' }, /batch_id/],
      [{ tasks: [{}], batch_id: prompt }, /batch_id/],
    ]
    for (const [body, detail] of cases) {
      const answer = await submit('instant', body)
      expect(answer.status, JSON.stringify(body)).to.equal(400)
      expect(answer.body.detail).to.match(detail)
    }
    expect((await submit('nobody', { tasks: [] })).status).to.equal(400)
    expect((await submit('nobody', { tasks: [{}] })).status).to.equal(404)
    expect(await service.store.executions.countDocuments()).to.equal(before + 1)
    expect((await look(randomUUID())).status).to.equal(404)
    const long = 'b'.repeat(128)
    expect((await submit('instant', { tasks: [{}], batch_id: `${long.slice(36)}${randomUUID()}` })).status).to.equal(
      200,
    )
  })

  describe('with tasks added', () => {
    it('run again when they had completed', async () => {
      const { batch_id } = (await submit('instant', { tasks: numbered(2), wait: true })).body
      const gate = randomUUID()
      const grid = async () =>
        (await service.request('GET', `/api/batches/${batch_id}/grid`, undefined, { Accept: 'application/json' })).body
      expect((await grid()).revived_at).to.equal(null)
      const answer = await add(batch_id, { agent_name: 'gated', tasks: [{ gate }, { gate, fail: true }] })
      expect(answer.status).to.equal(200)
      const { added_job_ids } = answer.body
      expect(answer.body).to.deep.equal({
        batch_id,
        status: 'running',
        added_job_ids,
        added_trace_ids: added_job_ids,
        added_task_ids: added_job_ids,
        total_tasks: 4,
        total_job_ids: 4,
      })
      const revived = (await look(batch_id)).body
      expect(revived).to.include({ status: 'running', completed_at: null, agent_name: 'instant', task_count: 4 })
      expect(Date.parse((await grid()).revived_at)).to.be.at.least(Date.parse(revived.created_at))
      await service.open(gate)
      const { body } = await untilCompleted(batch_id)
      expect(body.outputs.summary).to.deep.equal({ total_expected: 4, recorded: 4, succeeded: 3, failed: 1 })
    })

    it('answer with the results of the added tasks when they wait', async () => {
      const { batch_id } = (await submit('instant', { tasks: numbered(1), wait: true })).body
      const { body } = await add(batch_id, { agent_name: 'upper', tasks: [{ text: 'a' }, { text: 'b' }], wait: true })
      expect(body).to.include({ status: 'completed', total_tasks: 3, total_job_ids: 3 })
      expect(body.results.map(({ task_id }: { task_id: string }) => task_id)).to.deep.equal(body.added_task_ids)
      expect(body.results.map(({ response }: { response: { result: unknown } }) => response.result)).to.deep.equal([
        { result: 'A' },
        { result: 'B' },
      ])
    })

    it('are refused for unknown batches and agents, and for bodies that are wrong', async () => {
      const { batch_id } = (await submit('instant', { tasks: numbered(1), wait: true })).body
      const tasks = [{}]
      expect((await add(randomUUID(), { agent_name: 'instant', tasks })).status).to.equal(404)
      expect((await add(batch_id, { agent_name: 'nobody', tasks })).status).to.equal(404)
      expect((await add(batch_id, { tasks })).body.detail).to.contain('agent_name')
      expect((await add(batch_id, { agent_name: 'instant', tasks: [] })).status).to.equal(400)
      expect((await look(batch_id)).body.task_count).to.equal(1)
    })

    it('have exact summaries while ten clients add tasks, before and after the end', async () => {
      const gate = randomUUID()
      const { batch_id } = (await submit('gated', { tasks: [{ gate }] })).body
      let adding = true
      const polls = (async () => {
        let count = 0
        for (; adding; count += 1) {
          const { body } = await look(batch_id)
          const listed = (await service.request('GET', '/api/batches?limit=1')).body.batches[0]
          expect(listed.task_ids).to.have.length(listed.task_count)
          expect(listed.task_count).to.be.at.least(body.task_count)
        }
        return count
      })()
      const addAll = (times: number, agent_name: string) =>
        Promise.all(
          Array.from({ length: 10 }, async (_client, client) => {
            const totals: number[] = []
            for (let time = 0; time < times; time += 1) {
              const tasks = [
                { client, time, text: 'a' },
                { client, time, fail: true, message: 'no' },
              ]
              const { status, body } = await add(batch_id, { agent_name, tasks })
              expect(status, JSON.stringify(body)).to.equal(200)
              totals.push(body.total_tasks)
            }
            expect(totals).to.deep.equal([...totals].sort((one, other) => one - other))
            return totals
          }),
        )
      const totals = (await addAll(20, 'instant')).flat()
      expect(new Set(totals).size).to.equal(200)
      await service.open(gate)
      const first = (await untilCompleted(batch_id)).body
      expect(first.outputs.summary).to.deep.equal({ total_expected: 401, recorded: 401, succeeded: 401, failed: 0 })
      await addAll(3, 'failing')
      const second = (await untilCompleted(batch_id)).body
      expect(second.outputs.summary).to.deep.equal({ total_expected: 461, recorded: 461, succeeded: 401, failed: 60 })
      adding = false
      expect(await polls).to.be.above(0)
    })
  })

  it('run model agents, a few of them failing', async () => {
    const first = await submit('reckoner', { tasks: numbered(60), wait: true })
    expect(first.body.status).to.equal('completed')
    expect(
      first.body.results.map(({ response }: { response: { result: { result: string } } }) => response.result.result),
    ).to.deep.equal(numbered(60).map(({ n }) => String(n * n)))
    const { batch_id } = first.body
    await add(batch_id, { agent_name: 'endless', tasks: numbered(3), wait: true })
    const { body } = await look(batch_id)
    expect(body.outputs.summary).to.deep.equal({ total_expected: 63, recorded: 63, succeeded: 60, failed: 3 })
    const task = (await service.request('GET', `/api/jobs/${body.job_ids[7]}`)).body
    expect(task.token_usage).to.include({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 })
  })

  it('keep the order of tasks of different agents', async () => {
    const batch_id = randomUUID()
    const agents = ['instant', 'reckoner', 'upper', 'failing', 'reckoner', 'instant']
    for (const [n, agent] of agents.entries()) await submit(agent, { tasks: [{ n }], batch_id })
    const { body } = await untilCompleted(batch_id)
    expect(body.inputs.tasks).to.deep.equal(numbered(6))
    expect(body.job_ids.map((id: string) => body.outputs.results[id].response.result)).to.deep.equal([
      { n: 0 },
      { result: '1' },
      { result: '' },
      { error: 'this agent always fails' },
      { result: '16' },
      { n: 5 },
    ])
  })

  describe('canceled', () => {
    it('stop every task of plain code, and take no more', async () => {
      const gate = randomUUID()
      const waiting = submit('gated', { tasks: numbered(100, { gate }), batch_id: gate, wait: true })
      const running = await eventually(
        () => look(gate),
        ({ status, body }) => status === 200 && body.status === 'running',
      )
      const answer = await service.request('POST', `/api/batches/${gate}/cancel`)
      expect(answer.body).to.deep.equal({ ok: true, batch_id: gate, status: 'canceled' })
      const waited = await waiting
      expect(waited.body.status).to.equal('canceled')
      expect(waited.body.results).to.have.length(100)
      const { body } = await eventually(
        () => look(gate),
        (looked) => looked.body.completed_at !== null,
      )
      expect(body.status).to.equal('canceled')
      expect(body.outputs.summary).to.deep.equal({ total_expected: 100, recorded: 100, succeeded: 0, failed: 100 })
      expect(body.outputs.results[running.body.job_ids[0]]).to.deep.equal({
        status: 'canceled',
        response: { status: 'canceled', result: null, error: null },
      })
      await service.open(gate)
      const task = (await service.request('GET', `/api/jobs/${body.job_ids[99]}`)).body
      expect(task).to.include({ status: 'canceled', outputs: null, error: null })
      const refused = await add(gate, { agent_name: 'instant', tasks: [{}] })
      expect(refused.status).to.equal(400)
      expect(refused.body.detail).to.contain('canceled')
      expect((await submit('instant', { tasks: [{}], batch_id: gate })).status).to.equal(400)
      const again = await service.request('POST', `/api/batches/${gate}/cancel`)
      expect(again.body).to.deep.equal({ ok: true, batch_id: gate, status: 'canceled' })
    })

    it('stop every task when they are canceled again after the first request died half way', async () => {
      const gate = randomUUID()
      const { batch_id, job_ids } = (await submit('gated', { tasks: numbered(5, { gate }) })).body
      await untilBegun(job_ids[0])
      // All that a process has done which dies after its first write.
      await service.store.batches.updateOne({ _id: batch_id }, { $set: { status: 'canceled' } })
      const answer = await service.request('POST', `/api/batches/${batch_id}/cancel`)
      expect(answer.body).to.deep.equal({ ok: true, batch_id, status: 'canceled' })
      const left = await service.store.executions.countDocuments({ batch_id, status: 'running' })
      expect(left, 'tasks that go on').to.equal(0)
      await service.open(gate)
    })

    it('stop tasks of model agents', async () => {
      const gate = randomUUID()
      const { batch_id } = (await submit('reckoner', { tasks: numbered(60, { gate }) })).body
      await eventually(
        () => look(batch_id),
        ({ body }) => body.status === 'running',
      )
      await service.request('POST', `/api/batches/${batch_id}/cancel`)
      const { body } = await eventually(
        () => look(batch_id),
        (looked) => looked.body.completed_at !== null,
      )
      expect(body.outputs.summary).to.deep.equal({ total_expected: 60, recorded: 60, succeeded: 0, failed: 60 })
      await service.open(gate)
    })

    it('are left as they are when they had completed, and 404 when unknown', async () => {
      const { batch_id } = (await submit('instant', { tasks: numbered(1), wait: true })).body
      const before = (await look(batch_id)).body
      const answer = await service.request('POST', `/api/batches/${batch_id}/cancel`)
      expect(answer.body).to.deep.equal({ ok: false, batch_id, status: 'completed' })
      expect((await look(batch_id)).body).to.deep.equal(before)
      expect((await service.request('POST', `/api/batches/${randomUUID()}/cancel`)).status).to.equal(404)
    })

    it('continue when single tasks are canceled', async () => {
      const gate = randomUUID()
      const { batch_id, job_ids } = (await submit('gated', { tasks: numbered(3, { gate }) })).body
      await untilBegun(job_ids[1])
      const canceled = await service.request('POST', `/api/prompts/${job_ids[1]}/cancel`)
      expect(canceled.body).to.deep.equal({ ok: true, prompt_id: job_ids[1], status: 'canceled' })
      expect((await look(batch_id)).body.outputs.summary).to.deep.equal({
        total_expected: 3,
        recorded: 1,
        succeeded: 0,
        failed: 1,
      })
      await service.open(gate)
      const { body } = await untilCompleted(batch_id)
      expect(body.status).to.equal('completed')
      expect(body.outputs.summary).to.deep.equal({ total_expected: 3, recorded: 3, succeeded: 2, failed: 1 })
      expect(body.outputs.results[job_ids[1]].status).to.equal('canceled')
    })

    it('never begin a task that was canceled before its turn', async () => {
      const gate = randomUUID()
      const { batch_id, job_ids } = (await submit('gated', { tasks: numbered(300, { gate }) })).body
      const waiting = async (): Promise<string[]> => {
        const counts = await Promise.all(job_ids.map((id: string) => service.counted(id)))
        return job_ids.filter((_: string, index: number) => counts[index]?.length === 0)
      }
      // A worker runs 256 functions of batches at a time.
      const [last = ''] = await eventually(waiting, (ids) => ids.length === 300 - 256)
      const before = (await service.request('POST', `/api/jobs/${last}/cancel`)).body
      expect(before).to.include({ ok: true, status: 'canceled' })
      await service.open(gate)
      await untilCompleted(batch_id)
      expect(await service.counted(last)).to.deep.equal([])
      const traces = (await service.request('GET', `/api/traces?job_id=${last}`)).body.traces as {
        event_type: string
      }[]
      expect(traces.map(({ event_type }) => event_type)).to.deep.equal(['task_cancel_requested'])
    })
  })

  it('can be read without results, inputs or ids, or with selected fields', async () => {
    const { batch_id } = (await submit('instant', { tasks: numbered(3), wait: true })).body
    const whole = (await look(batch_id)).body
    const part = async (query: string) => (await service.request('GET', `/api/batches/${batch_id}?${query}`)).body
    const { outputs, inputs, job_ids, task_ids, ...rest } = whole
    expect(await part('ids=false')).to.deep.equal({ ...whole, job_ids: [], task_ids: [] })
    expect(await part('inputs=false')).to.deep.equal({ ...whole, inputs: { tasks: [] } })
    expect(await part('results=false&inputs=false&ids=false')).to.deep.equal({
      ...rest,
      ...{ job_ids: [], task_ids: [], inputs: { tasks: [] } },
      outputs: { results: {}, summary: { total_expected: 3, recorded: 3, succeeded: 3, failed: 0 } },
    })
    expect(await part('fields=status,outputs')).to.deep.equal({ status: 'completed', outputs })
    expect(await part('fields=inputs&results=false')).to.deep.equal({ inputs })
    expect(await part('fields=task_ids,job_ids&ids=true')).to.deep.equal({ job_ids, task_ids })
    for (const query of ['fields=', 'fields=nothing', 'fields=status,,outputs', 'ids=2', 'inputs=']) {
      const { status, body } = await service.request('GET', `/api/batches/${batch_id}?${query}`)
      expect(status, query).to.equal(400)
      expect(body.detail).to.contain(query.split('=')[0])
    }
    const [listed] = (await service.request('GET', '/api/batches?limit=1&ids=false')).body.batches
    expect(listed).to.deep.include({ batch_id, task_count: 3, job_ids: [], task_ids: [] })
  })

  it('reject more tasks than the limit of a submission', async () => {
    const tasks = Array.from({ length: 100_001 }, () => ({}))
    const { batch_id } = (await submit('instant', { tasks: numbered(1) })).body
    const before = await service.store.executions.countDocuments()
    for (const answer of [
      await submit('instant', { tasks }),
      await service.request('POST', `/api/batches/${batch_id}/add-tasks`, { agent_name: 'instant', tasks }),
    ]) {
      expect(answer.status).to.equal(413)
      expect(answer.body.detail).to.equal('tasks must have at most 100000 entries.')
    }
    expect(await service.store.executions.countDocuments()).to.equal(before)
  })

  it('are listed newest first, page by page', async () => {
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1)
      ids.unshift((await submit('instant', { tasks: numbered(2) })).body.batch_id)
    await Promise.all(ids.map(untilCompleted))
    const { body } = await service.request('GET', '/api/batches?limit=2')
    expect(body.limit).to.equal(2)
    expect(body.batches.map(({ batch_id }: { batch_id: string }) => batch_id)).to.deep.equal(ids.slice(0, 2))
    const { batch_id, agent_name, status, task_count, task_ids, job_ids, created_at, completed_at, outputs } = (
      await look(ids[0] as string)
    ).body
    const shown = { batch_id, agent_name, status, task_count, task_ids, job_ids, created_at, completed_at }
    expect(body.batches[0]).to.deep.equal({ ...shown, summary: outputs.summary })
    const next = await service.request('GET', `/api/batches?limit=1&cursor=${body.next_cursor}`)
    expect(next.body.batches[0].batch_id).to.equal(ids[2])
    expect((await service.request('GET', '/api/batches')).body.limit).to.equal(50)
  })
})
