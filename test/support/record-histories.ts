import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import packageJson from '../../package.json' with { type: 'json' }
import { writeHistory } from '../workflows/history-file.ts'
import { startWorker } from './processes.ts'
import { eventually, startTestService, untilEnded, type TestService } from './service.ts'
import { startStack } from './stack.ts'
import { startForgetfulTemporal } from './temporal.ts'

// Records what the workflows of this version do, for test/workflows/replay.test.ts: `node test/support/record-histories.ts`.
// To be run once for a version, before it is released: from then on its histories stay as they are.

const FOLDER = new URL(`../histories/${packageJson.version}/`, import.meta.url)
/** An agent that only another pool hosts. */
const ELSEWHERE = fileURLToPath(new URL('./agents-elsewhere', import.meta.url))
/** So that a short run already continues as new. */
const SUGGESTED_EVENTS = 150

interface Recorder {
  service: TestService
  temporal: Client
  submit: (prompt_name: string, inputs: object, more?: object) => Promise<string>
  batch: (agent: string, tasks: object[]) => Promise<string>
}

/** Each gives the name of every file and the execution or batch (and run) whose history it gets. */
const scenarios: ((recorder: Recorder) => Promise<Record<string, { id: string; runId?: string }>>)[] = [
  async ({ submit }) => ({ 'prompt-code': { id: await submit('upper', { text: 'a' }) } }),
  async ({ submit }) => ({ 'prompt-failing': { id: await submit('failing', {}) } }),
  async ({ submit }) => ({ 'prompt-model': { id: await submit('many-tools', { steps: 2, calls: 3 }) } }),
  async ({ submit }) => ({ 'prompt-delegation': { id: await submit('delegator', {}) } }),
  async ({ submit }) => ({ 'prompt-followed': { id: await submit('slow', { ms: 1_000 }) } }),
  async ({ submit }) => {
    const chain = { mode: 'sequential', agents: ['surround', 'many-tools', 'upper'] }
    return { 'prompt-chain': { id: await submit('surround', { steps: 1, calls: 2 }, chain) } }
  },
  async ({ submit }) => ({ 'prompt-calling': { id: await submit('caller', { agents: ['upper', 'many-tools'] }) } }),
  async ({ service, submit, temporal }) => {
    const other = await startWorker({ env: { ...service.env, WORKER_POOL: 'elsewhere', AGENTS_DIR: ELSEWHERE } })
    const id = await submit('caller', { agents: ['far-away', 'upper'] })
    // Each call parks the run, and makes its history longer.
    const long = await submit('caller', { agents: Array<string>(24).fill('far-away') })
    await other.stop()
    const { raw } = await temporal.workflow.getHandle(`${service.env.MONGODB_DATABASE}/${long}`).describe()
    const { firstRunId } = raw.workflowExecutionInfo ?? {}
    return {
      'prompt-calling-elsewhere': { id },
      'prompt-continued': { id: long, ...(firstRunId ? { runId: firstRunId } : {}) },
      'prompt-continuation': { id: long },
    }
  },
  async ({ service, submit }) => {
    const ids = await Promise.all([
      submit('slow', { ms: 60_000 }, { ended: false }),
      submit('slow-tool', {}, { ended: false }),
    ])
    for (const id of ids) {
      await eventually(
        () => service.counted(id),
        (lines) => lines.includes('begin'),
      )
      await service.request('POST', `/api/prompts/${id}/cancel`)
      await untilEnded(service, id)
    }
    return { 'prompt-code-canceled': { id: ids[0] as string }, 'prompt-model-canceled': { id: ids[1] as string } }
  },
  async ({ batch }) => {
    const tasks = Array.from({ length: 600 }, (_, index) => ({ index }))
    return { 'batch-code': { id: await batch('instant', tasks) } }
  },
  async ({ batch }) => {
    const tasks = Array.from({ length: 3 }, () => ({ steps: 1, calls: 2 }))
    return { 'batch-model': { id: await batch('many-tools', tasks) } }
  },
  async ({ batch }) => {
    const tasks = Array.from({ length: 4 }, (_, index) => ({ ms: index === 0 ? 4_000 : 1 }))
    return { 'batch-straggler': { id: await batch('slow', tasks) } }
  },
  async ({ service }) => {
    const tasks = [{ ms: 60_000 }, { ms: 60_000 }]
    const { body } = await service.request('POST', '/api/agents/slow/batch', { tasks })
    await eventually(
      () => service.counted(body.job_ids[0]),
      (lines) => lines.includes('begin'),
    )
    await service.request('POST', `/api/batches/${body.batch_id}/cancel`)
    return { 'batch-canceled': { id: body.batch_id } }
  },
]

async function main(): Promise<void> {
  const temporalServer = await startForgetfulTemporal(SUGGESTED_EVENTS)
  const stack = await startStack()
  const service = await startTestService({ stack: { ...stack.env, TEMPORAL_ADDRESS: temporalServer.address } })
  const connection = await Connection.connect({ address: temporalServer.address })
  const temporal = new Client({ connection })
  const recorder: Recorder = {
    service,
    temporal,
    async submit(prompt_name, inputs, { ended = true, ...more }: { ended?: boolean } = {}) {
      const { body } = await service.request('POST', '/api/prompts', { prompt_name, inputs, ...more })
      if (ended) await untilEnded(service, body.prompt_id)
      return body.prompt_id
    },
    async batch(agent, tasks) {
      const { body } = await service.request('POST', `/api/agents/${agent}/batch`, { tasks, wait: true })
      return body.batch_id
    },
  }
  await mkdir(FOLDER, { recursive: true })
  for (const scenario of scenarios) {
    for (const [name, found] of Object.entries(await scenario(recorder))) await record(recorder, name, found)
  }
  await recordReconcile(recorder)
  await service.stop()
  await connection.close()
  await temporalServer.stop()
  await stack.stop()
}

async function record(
  { temporal, service }: Recorder,
  name: string,
  { id, runId }: { id: string; runId?: string },
): Promise<void> {
  await recordWorkflow(temporal, name, `${service.env.MONGODB_DATABASE}/${id}`, runId)
}

async function recordReconcile({ service, temporal }: Recorder): Promise<void> {
  const query = `WorkflowType = 'reconcile' AND ExecutionStatus = 'Completed' AND TaskQueue = '${service.env.MONGODB_DATABASE}'`
  const find = async () => {
    for await (const { workflowId } of temporal.workflow.list({ query })) return workflowId
    return undefined
  }
  const workflowId = await eventually(find, (found) => found !== undefined)
  await recordWorkflow(temporal, 'reconcile', workflowId ?? '')
}

async function recordWorkflow(temporal: Client, name: string, workflowId: string, runId?: string): Promise<void> {
  const handle = temporal.workflow.getHandle(workflowId, runId)
  await eventually(
    () => handle.describe(),
    ({ status }) => status.name !== 'RUNNING',
  )
  await writeHistory(new URL(`${name}.json`, FOLDER), { workflowId, history: await handle.fetchHistory() })
  process.stdout.write(`${name}\n`)
}

await main()
