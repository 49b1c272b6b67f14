import { expect } from 'chai'
import { untilEnded, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

// JSON has no order, but people compare a response with the document: what it names comes first, and as it names it.
describe('The fields of a response', function () {
  this.timeout(120_000)
  let service: TestService
  const post = async (path: string, body: unknown) => (await service.request('POST', path, body)).body
  const begin = (body: object, ...fields: string[]): void => {
    expect(Object.keys(body).slice(0, fields.length)).to.deep.equal(fields)
  }

  before(async () => {
    service = await startScene()
  })
  after(() => service.stop())

  const content = ['inputs', 'outputs', 'created_at', 'completed_at', 'token_usage', 'error']

  it('stand in the order of the interface in a prompt', async () => {
    const { prompt_id } = await post('/api/prompts', { prompt_name: 'instant', inputs: {} })
    begin((await untilEnded(service, prompt_id)).body, 'prompt_id', 'prompt_name', 'status', ...content)
  })

  it('stand in the order of the interface in a job and its replay', async () => {
    const { job_id } = await post('/api/jobs', { pipeline_name: 'instant', inputs: {} })
    const { body } = await service.request('GET', `/api/jobs/${job_id}`)
    begin(body, 'job_id', 'status', 'pipeline_name', ...content)
    const stored = await post(`/api/jobs/${job_id}/replay`, {})
    begin(stored, 'job_id', 'status', 'result', 'error', 'pipeline_name', 'created_at', 'completed_at')
  })

  it('stand in the order of the interface in a batch and the answers to its submissions', async () => {
    const submitted = await post('/api/agents/instant/batch', { tasks: [{}], wait: true })
    const lists = ['task_ids', 'job_ids', 'trace_ids']
    begin(submitted, 'batch_id', 'agent_name', 'status', 'task_count', ...lists, 'results')
    const path = `/api/batches/${submitted.batch_id}`
    const added = await post(`${path}/add-tasks`, { agent_name: 'instant', tasks: [{}], wait: true })
    begin(added, 'batch_id', 'status', 'added_job_ids', 'added_trace_ids', 'added_task_ids', 'total_tasks')
    const { body } = await service.request('GET', path)
    const ids = ['job_ids', 'task_ids']
    const head = ['batch_id', 'agent_name', 'status', 'task_count', ...ids]
    begin(body, ...head, 'inputs', 'outputs', 'created_at', 'completed_at')
  })
})
