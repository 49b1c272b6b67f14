import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { startApi, startWorker, type ApiProcess, type ServiceProcess } from '../support/processes.ts'
import { eventually, request } from '../support/service.ts'
import { isolated, sharedStack } from '../support/stack.ts'
import { startCollector, type CollectedSpan, type Collector } from './collector.ts'

const AGENTS = fileURLToPath(new URL('./agents', import.meta.url))

describe('Traces, received by an OpenTelemetry collector', function () {
  this.timeout(120_000)
  let collector: Collector
  let api: ApiProcess
  let worker: ServiceProcess

  /** Starts the service anew; a worker that keeps nothing back, so that tests need not wait for its batches. */
  const start = async (settings: Record<string, string> = {}): Promise<void> => {
    const env = {
      ...isolated(sharedStack()),
      AGENTS_DIR: AGENTS,
      TRACING: 'external',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      ...settings,
    }
    ;[api, worker] = await Promise.all([startApi({ env }), startWorker({ env })])
  }
  const stop = () => Promise.all([api?.stop(), worker?.stop()])

  before(async function () {
    collector = await startCollector(this)
    await start()
  })

  after(async () => {
    await stop()
    await collector?.stop()
  })

  /** Runs a job as part of a trace of the caller's, and gives that trace's spans once the request's own is there. */
  const traced = async (method: string, path: string, body: unknown, until: string): Promise<CollectedSpan[]> => {
    const traceId = randomBytes(16).toString('hex')
    const traceparent = `00-${traceId}-${'ab'.repeat(8)}-01`
    const answer = await request(api.url, method, path, body, { traceparent })
    expect(answer.status).to.equal(200)
    return eventually(
      async () => collector.spans.filter((span) => span.traceId === traceId),
      (spans) => spans.some(({ name }) => name === until) && spans.some(({ name }) => name.startsWith(method)),
    )
  }

  const only = (spans: CollectedSpan[], name: string): CollectedSpan => {
    const named = spans.filter((span) => span.name === name)
    expect(named, name).to.have.length(1)
    return named[0] as CollectedSpan
  }
  /** Names of the spans above one, up to the caller's. */
  const above = (spans: CollectedSpan[], span: CollectedSpan): string[] => {
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
    return parent === undefined ? [span.parentSpanId] : [parent.name, ...above(spans, parent)]
  }

  it('shows a job as one trace: request, workflow, agents, activities, model and tool calls', async () => {
    const body = { pipeline_name: 'metered', inputs: { query: 'q' } }
    const spans = await traced('POST', '/api/jobs', body, 'RunWorkflow:prompt')

    const way = ['StartWorkflow:prompt', 'POST /api/jobs', 'ab'.repeat(8)]
    const workflow = only(spans, 'RunWorkflow:prompt')
    expect(above(spans, workflow)).to.deep.equal(way)
    const agent = only(spans, 'invoke_agent metered')
    const leg = ['RunActivity:beginLeg', 'RunWorkflow:prompt', ...way]
    expect(above(spans, agent)).to.deep.equal(leg)
    const tool = only(spans, 'execute_tool double')
    const inAgent = ['invoke_agent metered', ...leg]
    expect(above(spans, tool)).to.deep.equal(inAgent)
    const reader = only(spans, 'invoke_agent reader')
    expect(above(spans, reader)).to.deep.equal(inAgent)
    const called = ['invoke_agent reader', ...inAgent]
    const speller = only(spans, 'invoke_agent speller')
    expect(above(spans, speller)).to.deep.equal(called)
    const chats = spans.filter(({ name }) => name === 'chat scripted')
    expect(chats.map((chat) => above(spans, chat))).to.have.deep.members([
      inAgent,
      inAgent,
      ['invoke_agent speller', ...called],
    ])
    expect(spans.filter(({ failed }) => failed)).to.deep.equal([])
    expect(new Set(spans.map(({ spanId }) => spanId)).size).to.equal(spans.length)
    expect(only(spans, 'POST /api/jobs').service).to.equal('troupe-api')
    expect(workflow.service).to.equal('troupe-worker')
    for (const span of spans) expect(span.end >= span.start, span.name).to.equal(true)
  })

  it('describes agents, model and tool calls by the GenAI conventions, without what anybody said', async () => {
    const body = { pipeline_name: 'metered', inputs: { query: 'a-private-question' } }
    const spans = await traced('POST', '/api/jobs', body, 'RunWorkflow:prompt')

    const chat = spans.find(
      ({ name, attributes }) => name === 'chat scripted' && attributes['gen_ai.agent.name'] === 'metered',
    )
    expect(chat?.attributes).to.include({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'scripted',
      'gen_ai.usage.input_tokens': 11,
      'gen_ai.usage.output_tokens': 7,
    })
    expect(only(spans, 'execute_tool double').attributes).to.include({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'double',
      'gen_ai.tool.type': 'function',
      'gen_ai.agent.name': 'metered',
    })
    expect(only(spans, 'invoke_agent metered').attributes).to.include({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'metered',
      'troupe.status': 'completed',
    })
    expect(only(spans, 'POST /api/jobs').attributes).to.include({
      'http.request.method': 'POST',
      'http.route': '/api/jobs',
      'http.response.status_code': 200,
    })
    expect(collector.raw()).not.to.contain('a-private-question')
  })

  it('marks what failed by its code, without the sentence', async () => {
    const body = { pipeline_name: 'speller', inputs: { query: 'q', fail: true } }
    const spans = await traced('POST', '/api/jobs', body, 'RunWorkflow:prompt')

    const chat = only(spans, 'chat scripted')
    expect(chat.failed).to.equal(true)
    expect(chat.attributes['error.type']).to.equal('script_failed')
    const agent = only(spans, 'invoke_agent speller')
    expect(agent.failed).to.equal(true)
    expect(agent.attributes['troupe.status']).to.equal('failed')
    expect(collector.raw()).not.to.contain('a secret sentence')
  })

  it('shows a batch as one trace, each task with its agent', async () => {
    const body = { tasks: [{ query: 'one' }, { query: 'two' }], wait: true }
    const spans = await traced('POST', '/api/agents/speller/batch', body, 'RunWorkflow:batch')

    const way = [
      'RunActivity:runTasks',
      'RunWorkflow:batch',
      'SignalWithStartWorkflow:batch',
      'POST /api/agents/{agent_name}/batch',
    ]
    const agents = spans.filter(({ name }) => name === 'invoke_agent speller')
    expect(agents).to.have.length(2)
    for (const agent of agents) expect(above(spans, agent).slice(0, 4)).to.deep.equal(way)
  })

  it('says so on health, and puts the trace on the lines of the log', async () => {
    const { body } = await request(api.url, 'GET', '/api/health')
    expect(body.components.tracing).to.deep.equal({ enabled: true, backend: 'external' })
    const spans = await traced(
      'POST',
      '/api/jobs',
      { pipeline_name: 'metered', inputs: { query: 'q' } },
      'RunWorkflow:prompt',
    )
    const logged = (await worker.logs()).split('\n').find((line) => line.includes(`${spans[0]?.traceId}`))
    const line = JSON.parse(logged ?? '{}')
    expect(line).to.include({ msg: 'doubling', agent: 'metered', activity: 'beginLeg', attempt: 1 })
    expect(line.workflow_id).to.match(new RegExp(`^test-[^/]+/${line.job_id}$`))
    const requests = (await api.logs()).split('\n').filter((each) => each.includes(`${spans[0]?.traceId}`))
    const [submitted, answered] = requests.map((each) => JSON.parse(each))
    expect(submitted).to.include({ msg: 'execution submitted', job_id: line.job_id })
    expect(answered).to.include({ msg: 'request', status: 200, requestId: submitted.requestId })
    expect(line.span_id).to.equal(only(spans, 'execute_tool double').spanId)
  })

  it('carries what was said only for those who opt in', async () => {
    await stop()
    await start({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true', OTEL_SERVICE_NAME: 'of-our-choice' })
    const long = 'x'.repeat(5_000)
    const body = { pipeline_name: 'metered', inputs: { query: `an-open-question ${long}` } }
    const spans = await traced('POST', '/api/jobs', body, 'RunWorkflow:prompt')

    const chats = spans.filter(
      ({ name, attributes }) => name === 'chat scripted' && attributes['gen_ai.agent.name'] === 'metered',
    )
    const messages = chats.map(({ attributes }) => String(attributes['gen_ai.input.messages']))
    expect(messages[0]).to.contain('an-open-question')
    expect(messages[0]?.length).to.be.below(1_200)
    expect(JSON.parse(messages[0] ?? '')[0]).to.include({ role: 'user' })
    expect(only(spans, 'execute_tool double').attributes).to.include({
      'gen_ai.tool.call.arguments': '{"n":21}',
      'gen_ai.tool.call.result': '42',
    })
    expect(new Set(spans.map(({ service }) => service))).to.deep.equal(new Set(['of-our-choice']))
  })
})
