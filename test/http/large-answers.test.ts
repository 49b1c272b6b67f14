import { expect } from 'chai'
import { committedTogether, storeExecutions } from '../build/store-executions.ts'
import { randomUUID } from 'node:crypto'
import type { ExecutionDocument, TraceDocument } from '../../store/documents.ts'
import { AGENT, startApp, type AppScene } from './app-scene.ts'

describe('Responses that are too large for memory', () => {
  let scene: AppScene
  let lastTraceId = 0

  before(async () => {
    scene = await startApp()
  })
  after(() => scene.close())

  const get = async (path: string) => {
    const { status, body } = await scene.request('GET', path)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body
  }

  const makeJob = async (events: number, payload: object): Promise<string> => {
    const job_id = randomUUID()
    const documents = Array.from({ length: events }, (_, index): TraceDocument => ({
      ...{ _id: ++lastTraceId, job_id, agent_name: `${AGENT}-${index % 2}`, event_type: 'tool_call', parent_id: null },
      ...{ payload: JSON.stringify({ index, ...payload }), timestamp: new Date(1_700_000_000_000 + index) },
    }))
    await scene.store.traces.insertMany(committedTogether(documents))
    return scene.execution({ _id: job_id, last_trace_id: lastTraceId })
  }

  const makeBatch = async (count: number, text: string): Promise<string[]> => {
    const batch_id = randomUUID()
    const tasks = Array.from({ length: count }, (_, index): ExecutionDocument => ({
      ...{ _id: randomUUID(), kind: 'task', prompt_name: AGENT, mode: 'single', status: statusOf(index), agents: [] },
      ...{ inputs: { json: JSON.stringify({ index, text }) }, outputs: outputsOf(index), error: null, usage: {} },
      ...{ created_at: new Date(), batch_id, batch_index: index },
      completed_at: statusOf(index) === 'running' ? null : new Date(),
    }))
    await storeExecutions(scene.store, tasks)
    const succeeded = tasks.filter(({ status }) => status === 'completed').length
    await scene.store.batches.insertOne({
      ...{ _id: batch_id, agent_name: AGENT, status: 'running', task_count: count, succeeded, failed: 0 },
      ...{ created_at: new Date(), completed_at: null },
    })
    return [batch_id, ...tasks.map(({ _id }) => _id)]
  }
  const statusOf = (index: number) => (index % 3 === 0 ? 'running' : 'completed')
  const outputsOf = (index: number) => (index % 3 === 0 ? null : { json: JSON.stringify({ index }) })

  it('group the traces of a job with very many beside those of others, each whole and in order', async () => {
    const small = [await makeJob(3, {}), await makeJob(1, {})]
    const large = await makeJob(600, { text: 'x'.repeat(10_000) })
    const jobs = [await makeJob(2, {}), large, ...small.reverse()]
    const { grouped_traces } = await get('/api/traces/grouped')
    const seen = grouped_traces.map((group: { job_id: string; trace_count: number }) => [
      group.job_id,
      group.trace_count,
    ])
    expect(seen).to.deep.equal(jobs.map((job, index) => [job, [2, 600, 1, 3][index]]))
    const group = grouped_traces[1]
    expect(group.traces.map(({ payload }: { payload: { index: number } }) => payload.index)).to.deep.equal([
      ...Array(600).keys(),
    ])
    expect(group.agents).to.deep.equal([`${AGENT}-0`, `${AGENT}-1`])
    expect(group.start_time).to.equal(group.traces[0].timestamp)
    expect(group.end_time).to.equal(group.traces[599].timestamp)
  })

  for (const [of, count, characters] of [
    ['many tasks', 2_500, 10],
    ['large tasks', 500, 20_000],
  ] as const) {
    it(`show a batch of ${of} with inputs, results and summary in the order of the tasks`, async () => {
      const [id, ...tasks] = await makeBatch(count, 'y'.repeat(characters))
      const { inputs, outputs, job_ids } = await get(`/api/batches/${id}`)
      const ended = [...Array(count).keys()].filter((index) => statusOf(index) === 'completed')
      expect(job_ids).to.deep.equal(tasks)
      expect(inputs.tasks.map(({ index }: { index: number }) => index)).to.deep.equal([...Array(count).keys()])
      expect(Object.keys(outputs.results)).to.deep.equal(ended.map((index) => tasks[index]))
      expect(Object.values(outputs.results)).to.deep.equal(
        ended.map((index) => ({ status: 'success', response: { status: 'success', result: { index }, error: null } })),
      )
      const summary = { total_expected: count, recorded: ended.length, succeeded: ended.length, failed: 0 }
      expect(outputs.summary).to.deep.equal(summary)
      const { batches } = await get('/api/batches')
      expect(batches.find(({ batch_id }: { batch_id: string }) => batch_id === id).task_ids).to.deep.equal(tasks)
    })
  }
})
