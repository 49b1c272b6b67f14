import { committedTogether } from '../build/store-executions.ts'
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { batch as batchSchema } from '../../contracts/batches.ts'
import { agentList, toolList } from '../../contracts/agents.ts'
import { health } from '../../contracts/health.ts'
import { job, jobList, jobStored } from '../../contracts/jobs.ts'
import { metrics } from '../../contracts/metrics.ts'
import { prompt, promptList } from '../../contracts/prompts.ts'
import { resolvedResponse } from '../../contracts/responses.ts'
import { groupedTraces, trace as traceSchema } from '../../contracts/traces.ts'
import type { Content, ExecutionDocument, TraceDocument } from '../../store/documents.ts'
import { AGENT, startApp, type AppScene } from './app-scene.ts'

const LOST: Content = { pointer: { bucket: 'troupe', key: `responses/${randomUUID()}.json`, size_bytes: 10 } }

describe('Responses of the API', function () {
  this.timeout(60_000)
  let scene: AppScene
  before(async () => {
    scene = await startApp({ RESPONSE_OFFLOAD_BYTES: '1000', DOCKER_HOST: 'unix:///nowhere.sock' })
  })
  after(() => scene.close())

  const get = async (path: string) => (await scene.request('GET', path)).body
  const large = { text: 'é'.repeat(200_000) }
  const offloaded = async (): Promise<ExecutionDocument> => {
    const _id = randomUUID()
    const outputs = await scene.contents.put(`responses/2026/01/31/${_id}.json`, large)
    return (await scene.store.executions.findOne({ _id: await scene.execution({ _id, outputs }) })) as ExecutionDocument
  }

  describe('of one execution', () => {
    it('have the shape of the contract', async () => {
      const id = await scene.execution({ inputs: { json: '{"a":1}' }, outputs: { json: '{"b":2}' } })
      const shown = { inputs: { a: 1 }, outputs: { b: 2 }, error: null }
      expect(prompt.parse(await get(`/api/prompts/${id}`))).to.deep.include({ prompt_id: id, ...shown })
      expect(job.parse(await get(`/api/jobs/${id}`))).to.deep.include({ job_id: id, pipeline_name: AGENT, ...shown })
      expect(await get(`/api/responses/${id}/resolved`)).to.deep.equal({
        ...{ task_id: id, offloaded: false, pointer: null, data: { b: 2 } },
      })
    })

    it('are whole when they are large', async () => {
      const { _id, outputs } = await offloaded()
      expect((await get(`/api/prompts/${_id}`)).outputs).to.deep.equal(large)
      const resolved = resolvedResponse.parse(await get(`/api/responses/${_id}/resolved`))
      expect(resolved.data).to.deep.equal(large)
      expect(resolved.offloaded).to.equal(true)
      expect(resolved.pointer).to.deep.equal((outputs as { pointer: object }).pointer)
    })

    it('return 502 when the object store has lost them', async () => {
      const id = await scene.execution({ outputs: LOST })
      for (const path of [`/api/prompts/${id}`, `/api/jobs/${id}`, `/api/responses/${id}/resolved`]) {
        const { status, body } = await scene.request('GET', path)
        expect([status, Object.keys(body as object)]).to.deep.equal([502, ['detail']])
      }
      expect((await scene.request('POST', `/api/jobs/${id}/replay`)).status).to.equal(502)
    })

    it('have an error after a failure and nothing after a cancel', async () => {
      const failed = await scene.execution({ status: 'failed', outputs: null, error: 'broken' })
      const canceled = await scene.execution({ status: 'canceled', outputs: null })
      expect(await get(`/api/prompts/${failed}`)).to.deep.include({ outputs: { error: 'broken' }, error: 'broken' })
      expect(await get(`/api/prompts/${canceled}`)).to.deep.include({ outputs: null, error: null })
      expect(await get(`/api/responses/${canceled}/resolved`)).to.deep.include({ data: null })
    })

    it('return 404 before the end for results only available then', async () => {
      const id = await scene.execution({ status: 'running', outputs: null, completed_at: null })
      const { status, body } = await scene.request('GET', `/api/responses/${id}/resolved`)
      expect(status).to.equal(404)
      expect(body.detail).to.match(/has not ended/)
      expect((await get('/api/responses/nobody/resolved')).detail).to.match(/no execution/)
    })

    it('are stored results when a job is replayed without running it', async () => {
      const id = await scene.execution({ outputs: { json: '{"b":2}' } })
      const { body } = await scene.request('POST', `/api/jobs/${id}/replay`)
      expect(jobStored.parse(body)).to.deep.include({ job_id: id, status: 'completed', result: { b: 2 } })
    })
  })

  describe('in lists', () => {
    const ids: string[] = []
    before(async () => {
      await scene.store.executions.deleteMany({})
      // One moment for all of them: the order hangs on the id alone.
      const created_at = new Date()
      for (let index = 0; index < 7; index += 1) ids.push(await scene.execution({ created_at }))
      ids.push(await scene.execution({ created_at, kind: 'chat' }))
      ids.sort().reverse()
    })

    it('come page by page, each once, newest first', async () => {
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: { jobs: { job_id: string }[]; next_cursor: string | null } = jobList.parse(
          await get(`/api/jobs?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`),
        )
        seen.push(...page.jobs.map(({ job_id }) => job_id))
        cursor = page.next_cursor
      }
      expect(seen).to.deep.equal(ids)
    })

    it('take an offset, and hold only their kind', async () => {
      const { jobs } = await get('/api/jobs?limit=2&offset=3')
      expect(jobs.map(({ job_id }: { job_id: string }) => job_id)).to.deep.equal(ids.slice(3, 5))
      expect(promptList.parse(await get('/api/prompts')).prompts).to.have.length(7)
    })

    it('refuse a cursor of another list', async () => {
      const { next_cursor } = await get('/api/jobs?limit=1')
      expect((await scene.request('GET', `/api/prompts?cursor=${next_cursor}`)).status).to.equal(400)
    })
  })

  describe('of a batch', () => {
    const makeBatch = async (tasks: Partial<ExecutionDocument>[]): Promise<string> => {
      const _id = randomUUID()
      const ended = tasks.filter(({ status }) => status !== 'running').length
      const succeeded = tasks.filter(({ status }) => status === 'completed').length
      await scene.store.batches.insertOne({
        ...{ _id, agent_name: AGENT, status: 'running', task_count: tasks.length, succeeded },
        ...{ failed: ended - succeeded, created_at: new Date(), completed_at: null },
      })
      for (const [batch_index, task] of tasks.entries()) {
        await scene.execution({ kind: 'task', batch_id: _id, batch_index, ...task })
      }
      return _id
    }

    it('hold tasks in their order, results so far, and a summary that fits', async () => {
      const { outputs } = await offloaded()
      const big = await scene.contents.put(`inputs/${randomUUID()}.json`, large)
      const id = await makeBatch([
        { status: 'completed', inputs: { json: '{"n":0}' }, outputs: { json: '{"answer":0}' } },
        { status: 'failed', inputs: { json: '{"__proto__":1}' }, outputs: null, error: 'broken' },
        { status: 'canceled', outputs: null },
        { status: 'running', outputs: null, completed_at: null, inputs: big },
        { status: 'completed', outputs },
      ])
      const answer = await get(`/api/batches/${id}`)
      batchSchema.parse(answer)
      const [first, second, third, , last] = answer.job_ids as string[]
      expect(answer.task_ids).to.deep.equal(answer.job_ids)
      expect(answer.inputs.tasks[0]).to.deep.equal({ n: 0 })
      expect(JSON.stringify(answer.inputs.tasks[1])).to.equal('{"__proto__":1}')
      expect(answer.inputs.tasks[3]).to.deep.equal(large)
      expect(answer.outputs.summary).to.deep.equal({ total_expected: 5, recorded: 4, succeeded: 2, failed: 2 })
      expect(answer.outputs.results).to.deep.equal({
        [first as string]: {
          status: 'success',
          response: { status: 'success', result: { answer: 0 }, error: null },
        },
        [second as string]: {
          status: 'error',
          response: { status: 'error', result: { error: 'broken' }, error: 'broken' },
        },
        [third as string]: { status: 'canceled', response: { status: 'canceled', result: null, error: null } },
        [last as string]: { status: 'success', response: { offloaded: true, ...outputs } },
      })
      const short = await get(`/api/batches/${id}?results=FALSE`)
      expect(short.outputs).to.deep.equal({ results: {}, summary: answer.outputs.summary })
    })

    it('are 502 when the object store has lost a payload', async () => {
      const tasks = Array.from({ length: 300 }, () => ({ inputs: { json: JSON.stringify({ text: 'x'.repeat(900) }) } }))
      const id = await makeBatch([...tasks, { inputs: LOST }])
      expect((await scene.request('GET', `/api/batches/${id}`)).status).to.equal(502)
    })

    it('are listed with the ids of their tasks', async () => {
      const id = await makeBatch([{ status: 'completed' }, { status: 'completed' }])
      const { batches, limit, next_cursor } = await get('/api/batches?limit=1')
      expect([batches[0].batch_id, batches[0].task_ids.length, limit]).to.deep.equal([id, 2, 1])
      expect((await get(`/api/batches?limit=1&cursor=${next_cursor}`)).batches[0].batch_id).not.to.equal(id)
    })
  })

  describe('of traces', () => {
    const jobs = [randomUUID(), randomUUID()] as const
    let stored: Content
    before(async () => {
      await scene.store.executions.deleteMany({})
      stored = await scene.contents.put(`steps/${jobs[0]}/0.c01.json`, large)
      const foreign = { offloaded: true, pointer: { bucket: 'troupe', key: `steps/${jobs[1]}/0.json`, size_bytes: 1 } }
      const payloads = [
        { inputs: {} },
        { tool_name: 'x', parameters: foreign, result: { offloaded: true, ...stored } },
        { status: 'completed' },
      ]
      const documents = [0, 1, 2, 3, 4].map((index): TraceDocument => ({
        ...{ _id: index + 1, job_id: jobs[index % 2] as string, agent_name: index === 4 ? 'other' : AGENT },
        ...{ event_type: 'tool_call', parent_id: index === 0 ? null : 1, timestamp: new Date(1_000_000 + index) },
        payload: JSON.stringify(payloads[index === 2 ? 1 : index === 4 ? 2 : 0]),
      }))
      await scene.store.traces.insertMany(committedTogether(documents))
      await scene.execution({ _id: jobs[0], last_trace_id: 5 })
      await scene.execution({ _id: jobs[1], last_trace_id: 4 })
    })

    const idsOf = ({ traces }: { traces: { id: number }[] }): number[] => traces.map(({ id }) => id)

    it('are newest first, and oldest first of one job', async () => {
      expect(idsOf(await get('/api/traces'))).to.deep.equal([5, 4, 3, 2, 1])
      expect(idsOf(await get(`/api/traces?job_id=${jobs[0]}`))).to.deep.equal([1, 3, 5])
      expect(idsOf(await get(`/api/traces?agent_name=other&job_id=`))).to.deep.equal([5])
      expect(idsOf(await get(`/api/traces?job_id=nobody`))).to.deep.equal([])
    })

    it('go on where the page before ended', async () => {
      for (const [query, rest] of [
        ['limit=4', [1]],
        [`limit=2&job_id=${jobs[0]}`, [5]],
      ] as const) {
        const { next_cursor } = await get(`/api/traces?${query}`)
        const page = await get(`/api/traces?${query}&cursor=${next_cursor}`)
        expect([idsOf(page), page.next_cursor]).to.deep.equal([rest, null])
      }
    })

    it('are grouped by the jobs with the latest events', async () => {
      const answer = groupedTraces.parse(await get('/api/traces/grouped?limit=1'))
      const [group] = answer.grouped_traces
      expect(group).to.deep.include({
        ...{ job_id: jobs[0], trace_count: 3, agents: [AGENT, 'other'] },
        ...{ start_time: new Date(1_000_000).toISOString(), end_time: new Date(1_000_004).toISOString() },
      })
      const next = await get(`/api/traces/grouped?limit=1&cursor=${answer.next_cursor}`)
      expect(next.grouped_traces.map(({ job_id }: { job_id: string }) => job_id)).to.deep.equal([jobs[1]])
      expect(next.next_cursor).to.equal(null)
    })

    it('are whole when one is asked for, and pointers in lists', async () => {
      const one = traceSchema.parse(await get('/api/traces/3'))
      expect(one.payload.result).to.deep.equal(large)
      const listed = (await get(`/api/traces?job_id=${jobs[0]}`)).traces[1]
      expect(listed.payload.result).to.deep.equal({ offloaded: true, ...stored })
    })

    it("never fetch another job's objects, whatever a tool answered", async () => {
      expect((await get('/api/traces/3')).payload.parameters.offloaded).to.equal(true)
    })

    it('are 404 for an id that is none', async () => {
      for (const id of ['99', 'abc', '1.5', '-1', '1e0', '9'.repeat(40)]) {
        expect((await scene.request('GET', `/api/traces/${id}`)).status, id).to.equal(404)
      }
    })
  })

  describe('about the service', () => {
    // An agent is alive for 30 seconds after its last beat, and no worker beats here.
    beforeEach(() => scene.store.agents.updateOne({ name: AGENT }, { $set: { last_seen: new Date() } }))

    it('list agents with their tools, and who is alive', async () => {
      const gone = new Date(Date.now() - 60_000)
      await scene.store.agents.insertOne({
        ...{
          _id: 'a.$gone|x',
          name: 'a.$gone',
          role: '',
          goal: '',
          pool: 'x',
          kind: 'code',
          tools: [],
          last_seen: gone,
        },
      })
      const counted = { trace_count: 7, executions: 1, last_executed: gone }
      await scene.store.counters.updateOne({ _id: 'ledger' }, { $set: { 'agents.a%2E%24gone': counted } })
      const { agents } = agentList.parse(await get('/api/agents'))
      expect(agents.map(({ name, status, trace_count }) => [name, status, trace_count])).to.deep.equal([
        ['a.$gone', 'inactive', 7],
        [AGENT, 'active', 0],
      ])
      const { next_cursor } = await get('/api/agents?limit=1')
      expect((await get(`/api/agents?limit=1&cursor=${next_cursor}`)).agents[0].name).to.equal(AGENT)
      expect(toolList.parse(await get(`/api/agents/${AGENT}/tools`)).tools[0]?.name).to.equal('look')
    })

    it('add up what ran', async () => {
      await scene.store.counters.updateOne({ _id: 'submitted-1' }, { $inc: { submitted: 4 } }, { upsert: true })
      const sums = { completed_jobs: 4, failed_jobs: 1, latency_ms_total: 10, tool_calls: 3, total_tokens: 9 }
      await scene.store.counters.updateOne({ _id: 'ledger' }, { $set: sums })
      expect(metrics.parse(await get('/api/metrics'))).to.deep.include({
        ...{ total_jobs: 4, completed_jobs: 4, failed_jobs: 1, avg_latency_ms: 2.5 },
        ...{ active_agents_count: 1, tool_calls: 3, cache_hits: 0, total_tokens: 9 },
      })
      expect((await get('/api/jobs')).total).to.equal(4)
    })

    it('say what it runs on', async () => {
      expect(health.parse(await get('/api/health'))).to.deep.equal({
        status: 'ok',
        version: '0.2.0',
        components: {
          ...{ database: 'MongoDB', storage: 'S3', message_bus: 'Temporal' },
          tracing: { enabled: true, backend: 'database' },
        },
      })
    })
  })
})
