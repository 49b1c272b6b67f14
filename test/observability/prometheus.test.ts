import { expect } from 'chai'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { freePort } from '../../dev/ports.ts'
import { startApi, startWorker, type ApiProcess, type ServiceProcess } from '../support/processes.ts'
import { eventually, request } from '../support/service.ts'
import { isolated, sharedStack } from '../support/stack.ts'
import { startPrometheus, type PrometheusServer, type Sample } from './prometheus-server.ts'

const AGENTS = fileURLToPath(new URL('./agents', import.meta.url))

describe('Metrics, scraped by Prometheus', function () {
  this.timeout(120_000)
  let api: ApiProcess
  let worker: ServiceProcess
  let prometheus: PrometheusServer
  let folder: string

  before(async function () {
    const [apiAdmin, workerAdmin] = [await freePort(), await freePort()]
    prometheus = await startPrometheus(this, { api: apiAdmin, worker: workerAdmin })
    folder = await mkdtemp(join(tmpdir(), 'troupe-metrics-'))
    const PRICES_FILE = join(folder, 'prices.json')
    await writeFile(PRICES_FILE, JSON.stringify({ scripted: { input: 1_000, output: 1_000 } }))
    const env = { ...isolated(sharedStack()), AGENTS_DIR: AGENTS, PRICES_FILE }
    const processes = await Promise.all([
      startApi({ env: { ...env, ADMIN_PORT: String(apiAdmin) } }),
      startWorker({ env: { ...env, ADMIN_PORT: String(workerAdmin) } }),
    ])
    ;[api, worker] = processes
  })

  after(async () => {
    await Promise.all([api?.stop(), worker?.stop()])
    await prometheus?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const post = (path: string, body: unknown) => request(api.url, 'POST', path, body)
  /** Waits until an expression has samples that satisfy. */
  const sampled = (expression: string, holds: (samples: Sample[]) => boolean = (samples) => samples.length > 0) =>
    eventually(() => prometheus.query(expression), holds)
  const atLeast = (expression: string, value: number) =>
    sampled(expression, ([first]) => first !== undefined && first.value >= value)

  it('reads the pages of both processes', async () => {
    await sampled('up == 1', (samples) => samples.length === 2)
    await sampled('nodejs_version_info', (samples) => samples.length === 2)
  })

  it('counts requests by the template of their route, whatever paths are made up', async () => {
    const { body } = await post('/api/prompts', { prompt_name: 'metered', inputs: { query: 'q' } })
    await request(api.url, 'GET', `/api/prompts/${body.prompt_id}`)
    await request(api.url, 'GET', '/api/made-up-1')
    await request(api.url, 'GET', '/api/made-up-2')
    const name = 'troupe_http_request_duration_seconds_count'
    await atLeast(`${name}{job="api",method="POST",route="/api/prompts",status="200"}`, 1)
    await atLeast(`${name}{method="GET",route="/api/prompts/{prompt_id}",status="200"}`, 1)
    const unmatched = await atLeast(`${name}{route="unmatched",status="404"}`, 2)
    expect(unmatched).to.have.length(1)
    await sampled(`histogram_quantile(0.99, rate(troupe_http_request_duration_seconds_bucket[1m]))`)
  })

  it('counts executions, tokens, model calls and tool calls', async () => {
    await post('/api/jobs', { pipeline_name: 'metered', inputs: { query: 'q' } })
    await post('/api/jobs', { pipeline_name: 'speller', inputs: { query: 'q', fail: true } })
    await atLeast('troupe_executions_total{status="completed",agent="metered"}', 1)
    await atLeast('troupe_executions_total{status="failed",agent="speller"}', 1)
    const [input] = await atLeast('troupe_tokens_total{provider="scripted",model="scripted",type="input"}', 25)
    expect(input?.labels.job).to.equal('worker')
    await atLeast('troupe_cost_usd_total{provider="scripted",model="scripted",agent="metered"}', 0.036)
    await atLeast('troupe_model_call_duration_seconds_count{outcome="ok"}', 3)
    await atLeast('troupe_model_call_duration_seconds_count{outcome="script_failed"}', 1)
    await atLeast('troupe_tool_call_duration_seconds_count{agent="metered",tool="double",status="success"}', 1)
    await atLeast('troupe_ledger_group_entries_sum{job="worker"}', 8)
    await atLeast('troupe_ledger_commit_duration_seconds_count{job="worker"}', 1)
  })

  it('shows what the Temporal SDK measures', async () => {
    await sampled('temporal_worker_task_slots_available{job="worker"}')
    await atLeast('temporal_workflow_completed_total{job="worker"}', 1)
  })

  it('counts open streams and their delay', async () => {
    const { body } = await post('/api/prompts', { prompt_name: 'metered', inputs: { query: 'q' } })
    const all = new WebSocket(`${api.wsUrl}/ws/events`)
    const one = new WebSocket(`${api.wsUrl}/ws/prompts/${body.prompt_id}`)
    await Promise.all([once(all, 'open'), once(one, 'open')])
    await post('/api/jobs', { pipeline_name: 'speller', inputs: { query: 'q' } })
    await atLeast('troupe_stream_sockets{stream="events"}', 1)
    await atLeast('troupe_stream_delay_seconds_count', 1)
    all.close()
    one.close()
    await sampled('troupe_stream_sockets{stream="events"}', ([first]) => first?.value === 0)
  })

  it('shows what waits in the task queues', async () => {
    await sampled('troupe_task_queue_backlog{type="workflow"}')
    await worker.stop()
    for (let count = 0; count < 3; count += 1) {
      await post('/api/prompts', { prompt_name: 'speller', inputs: { query: 'q' } })
    }
    await atLeast('troupe_task_queue_backlog{job="api",type="workflow"}', 3)
  })
})
