import { Client, Connection } from '@temporalio/client'
import {
  bundleWorkflowCode,
  DefaultLogger,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker'
import { expect } from 'chai'
import { fileURLToPath } from 'node:url'
import { traceSinks } from '../../observability/external-tracing.ts'
import { startApi, startWorker, type ApiProcess, type ServiceProcess } from '../support/processes.ts'
import { request } from '../support/service.ts'
import { isolated, sharedStack } from '../support/stack.ts'
import { WORKFLOW_CODE } from '../../worker/workflow-bundle.ts'

const AGENTS = fileURLToPath(new URL('./agents', import.meta.url))

describe('Histories, with tracing and without', function () {
  this.timeout(180_000)
  let bundles: Record<string, WorkflowBundleWithSourceMap>
  let connection: Connection

  before(async () => {
    const warnings: string[] = []
    const logger = new DefaultLogger('WARN', ({ message }) => void warnings.push(message))
    quietly(logger)
    const [carrying, plain] = await Promise.all([
      bundleWorkflowCode({ ...WORKFLOW_CODE, logger }),
      bundleWorkflowCode({ ...WORKFLOW_CODE, workflowInterceptorModules: [], logger }),
    ])
    // A warning would mean that something in a bundle does I/O.
    expect(warnings).to.deep.equal([])
    bundles = { 'carries traces': carrying, 'knows of none': plain }
    const { TEMPORAL_ADDRESS } = sharedStack()
    connection = await Connection.connect({ address: TEMPORAL_ADDRESS ?? '' })
  })

  after(() => connection?.close())

  for (const tracing of ['external', 'database']) {
    it(`replay in workers of both kinds when they were recorded with TRACING=${tracing}`, async () => {
      const { env, ids } = await record(tracing)
      const client = new Client({ connection, namespace: env.TEMPORAL_NAMESPACE ?? 'default' })
      for (const workflowId of ids.map((id) => `${env.MONGODB_DATABASE}/${id}`)) {
        const history = await client.workflow.getHandle(workflowId).fetchHistory()
        const headers = JSON.stringify(history)
        expect(headers.includes('_tracer-data'), workflowId).to.equal(tracing === 'external')
        for (const bundle of Object.values(bundles)) {
          await Worker.runReplayHistory({ workflowBundle: bundle, sinks: traceSinks }, history, workflowId)
        }
      }
    })
  }
})

/** A process has one runtime, and another test may have made it. */
function quietly(logger: DefaultLogger): void {
  try {
    Runtime.install({ logger })
  } catch (error) {
    expect((error as Error).message).to.contain('already')
  }
}

/** Runs a prompt that delegates, one that fails and a batch on a service of their own; gives the ids of their workflows. */
async function record(tracing: string): Promise<{ env: Record<string, string>; ids: string[] }> {
  // Nobody listens there: spans that cannot be sent must not matter either.
  const settings = {
    TRACING: tracing,
    AGENTS_DIR: AGENTS,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  }
  const env: Record<string, string> = { ...isolated(sharedStack()), ...settings }
  const processes: [ApiProcess, ServiceProcess] = await Promise.all([startApi({ env }), startWorker({ env })])
  const ids = await runEach(processes[0].url).finally(() => Promise.all(processes.map((each) => each.stop())))
  const logs = (await Promise.all(processes.map((each) => each.logs()))).join('')
  expect(logs.includes('OpenTelemetry reported a problem')).to.equal(tracing === 'external')
  return { env, ids }
}

async function runEach(url: string): Promise<string[]> {
  const metered = await request(url, 'POST', '/api/jobs', { pipeline_name: 'metered', inputs: { query: 'q' } })
  const failed = await request(url, 'POST', '/api/jobs', { pipeline_name: 'speller', inputs: { fail: true } })
  const tasks = [{ query: 'one' }, { query: 'two' }]
  const batch = await request(url, 'POST', '/api/agents/speller/batch', { tasks, wait: true })
  expect([metered.body.status, failed.body.status, batch.body.status]).to.deep.equal(['success', 'error', 'completed'])
  return [metered.body.job_id, failed.body.job_id, batch.body.batch_id]
}
