import { expect } from 'chai'
import { startTestService, untilEnded, type TestService } from '../support/service.ts'
import { Client } from '../streams/client.ts'

/** Not one of them is a double. */
const NUMBERS = '{"id":9007199254740993,"list":[-12345678901234567890,{"pi":3.14159265358979323846}],"huge":1e999}'

describe('Numbers of more digits than a double has', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await startTestService()
  })
  after(() => service.stop())

  const text = async (method: string, path: string, body?: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(service.api.url + path, { method, headers, body: body ?? null })
    const answer = await response.text()
    expect(response.status, answer).to.equal(200)
    return answer
  }
  const submit = async (body: string): Promise<string> => {
    const { prompt_id: id } = JSON.parse(await text('POST', '/api/prompts', body)) as { prompt_id: string }
    await untilEnded(service, id)
    return id
  }
  const times = (answer: string): number => answer.split(NUMBERS).length - 1

  it('are unchanged in inputs, outputs, traces and replays', async () => {
    const id = await submit(`{"prompt_name":"instant","inputs":${NUMBERS}}`)
    expect(times(await text('GET', `/api/prompts/${id}`))).to.equal(2)
    expect(times(await text('GET', `/api/traces?job_id=${id}`))).to.equal(2)
    expect(times(await text('GET', `/api/responses/${id}/resolved`))).to.equal(1)
    const replayed = await text('POST', `/api/jobs/${id}/replay`, '{"reexecute":true}')
    expect(times(replayed)).to.equal(1)
    const { job_id: again } = JSON.parse(replayed) as { job_id: string }
    expect(times(await text('GET', `/api/jobs/${again}`))).to.equal(2)
  })

  it('are unchanged in the messages of streams', async () => {
    const id = await submit(`{"prompt_name":"instant","inputs":${NUMBERS}}`)
    const client = new Client(`${service.api.url.replace('http', 'ws')}/ws/prompts/${id}`)
    const messages: string[] = []
    client.socket.on('message', (data) => messages.push(String(data)))
    await client.complete()
    client.leave()
    // Input and output of the spans, once flat and once in the tree, and the outputs themselves.
    expect(times(messages.join(''))).to.equal(5)
  })

  it('are unchanged in batches, even large ones', async () => {
    const large = `{"text":"${'x'.repeat(200_000)}","numbers":${NUMBERS}}`
    const answer = await text('POST', '/api/agents/instant/batch', `{"tasks":[${NUMBERS},${large}],"wait":true}`)
    const { batch_id: id, job_ids: ids } = JSON.parse(answer) as { batch_id: string; job_ids: string[] }
    expect(times(answer)).to.equal(1)
    expect(times(await text('GET', `/api/batches/${id}`))).to.equal(3)
    expect(times(await text('GET', `/api/prompts/${ids[1]}`))).to.equal(2)
  })

  it('are unchanged in chains, model prompts and arguments of tool calls', async () => {
    const chain = `"mode":"sequential","agents":["instant","surround","asked"]`
    const id = await submit(`{"prompt_name":"instant","inputs":${NUMBERS},${chain}}`)
    const { outputs } = JSON.parse(await text('GET', `/api/prompts/${id}`)) as { outputs: { result: string } }
    const [{ content }] = JSON.parse(outputs.result) as [{ content: string }]
    expect(content).to.equal(`{"got":${NUMBERS},"text":"surrounded"}`)
  })

  it('are doubles in agent code and checks', async () => {
    const budget = '"budget":{"tokens":1000.00000000000000000001}'
    const id = await submit(`{"prompt_name":"reckoner","inputs":{"n":3.00000000000000000001},${budget}}`)
    const prompt = JSON.parse(await text('GET', `/api/prompts/${id}`)) as { status: string; outputs: object }
    expect(prompt).to.deep.include({ status: 'completed', outputs: { result: '9' } })
  })
})
