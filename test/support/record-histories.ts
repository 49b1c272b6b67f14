import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { findBinary } from '../../dev/binaries/find-binary.ts'
import { ManagedProcess } from '../../dev/managed-process.ts'
import { freePort } from '../../dev/ports.ts'
import { saySilently } from '../../dev/say.ts'
import { temporalSpec } from '../../dev/servers/temporal.ts'
import { writeHistory } from '../workflows/history-file.ts'
import { eventually, startTestService, untilEnded, type TestService } from './service.ts'
import { sharedStack, stopSharedStack } from './stack.ts'

// Records what the workflows of today do, for test/workflows/replay.test.ts: `node test/support/record-histories.ts`.
// To be run after a change of workflow code that is meant to break with what runs, and by nobody else.

const FOLDER = new URL('../histories/', import.meta.url)
/** So that a short run already continues as new. */
const SUGGESTED_EVENTS = 150

interface Recorder {
  service: TestService
  temporal: Client
  submit: (prompt_name: string, inputs: object, more?: object) => Promise<string>
  batch: (agent: string, tasks: object[]) => Promise<string>
}

/** Each gives the name of every file and the workflow (and run) whose history it gets. */
const scenarios: ((recorder: Recorder) => Promise<Record<string, { workflowId: string; runId?: string }>>)[] = [
  async ({ submit }) => ({ 'prompt-code': { workflowId: await submit('upper', { text: 'a' }) } }),
  async ({ submit }) => ({ 'prompt-failing': { workflowId: await submit('failing', {}) } }),
  async ({ submit }) => ({ 'prompt-model': { workflowId: await submit('many-tools', { steps: 2, calls: 3 }) } }),
  async ({ submit }) => ({ 'prompt-delegation': { workflowId: await submit('delegator', {}) } }),
  async ({ submit }) => {
    const chain = { mode: 'sequential', agents: ['surround', 'many-tools', 'upper'] }
    return { 'prompt-chain': { workflowId: await submit('surround', { steps: 1, calls: 2 }, chain) } }
  },
  async ({ submit }) => {
    const workflowId = await submit('caller', { agents: ['upper', 'many-tools'] })
    return {
      'prompt-calling': { workflowId },
      'call-code': { workflowId: `${workflowId}/0>k00000` },
      'call-model': { workflowId: `${workflowId}/0>k00001` },
    }
  },
  async ({ submit, temporal }) => {
    const workflowId = await submit('many-tools', { steps: 12, calls: 3 })
    const { raw } = await temporal.workflow.getHandle(workflowId).describe()
    const { firstRunId } = raw.workflowExecutionInfo ?? {}
    return {
      'prompt-continued': { workflowId, ...(firstRunId ? { runId: firstRunId } : {}) },
      'prompt-continuation': { workflowId },
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
    return {
      'prompt-code-canceled': { workflowId: ids[0] as string },
      'prompt-model-canceled': { workflowId: ids[1] as string },
    }
  },
  async ({ batch }) => {
    const tasks = Array.from({ length: 600 }, (_, index) => ({ index }))
    return { 'batch-code': { workflowId: await batch('instant', tasks) } }
  },
  async ({ batch, temporal }) => {
    const tasks = Array.from({ length: 3 }, () => ({ steps: 1, calls: 2 }))
    const workflowId = await batch('many-tools', tasks)
    const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory()
    const started = events
      ?.map((each) => each.childWorkflowExecutionStartedEventAttributes)
      .find((each) => each != null)
    return {
      'batch-model': { workflowId },
      'shard-model': { workflowId: started?.workflowExecution?.workflowId ?? '' },
    }
  },
  async ({ service }) => {
    const tasks = [{ ms: 60_000 }, { ms: 60_000 }]
    const { body } = await service.request('POST', '/api/agents/slow/batch', { tasks })
    await eventually(
      () => service.counted(body.job_ids[0]),
      (lines) => lines.includes('begin'),
    )
    await service.request('POST', `/api/batches/${body.batch_id}/cancel`)
    return { 'batch-canceled': { workflowId: body.batch_id } }
  },
  async ({ service, temporal }) => {
    const query = `WorkflowType = 'reconcile' AND ExecutionStatus = 'Completed' AND TaskQueue = '${service.env.MONGODB_DATABASE}'`
    const found = async () => {
      for await (const { workflowId } of temporal.workflow.list({ query })) return workflowId
      return undefined
    }
    return { reconcile: { workflowId: (await eventually(found, (id) => id !== undefined)) ?? '' } }
  },
]

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'troupe-histories-'))
  const temporalServer = await startTemporal(dataDir)
  const stack = { ...(await sharedStack()), TEMPORAL_ADDRESS: temporalServer.address }
  const service = await startTestService({ stack })
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
    for (const [name, place] of Object.entries(await scenario(recorder))) await record(recorder, name, place)
  }
  await service.stop()
  await connection.close()
  await temporalServer.stop()
  await stopSharedStack()
  await rm(dataDir, { recursive: true, force: true })
}

async function startTemporal(dataDir: string): Promise<{ address: string; stop: () => Promise<void> }> {
  const binary = await findBinary('temporal', { environment: process.env, say: saySilently })
  const port = await freePort()
  const spec = temporalSpec({ binary, port, dataDir, logDir: dataDir, namespace: 'default' })
  const suggestion = `limit.historyCount.suggestContinueAsNew=${SUGGESTED_EVENTS}`
  const managed = new ManagedProcess({
    ...spec,
    arguments: [...spec.arguments, '--dynamic-config-value', suggestion],
  })
  await managed.start()
  return { address: `127.0.0.1:${port}`, stop: () => managed.stop() }
}

async function record(
  { temporal }: Recorder,
  name: string,
  { workflowId, runId }: { workflowId: string; runId?: string },
): Promise<void> {
  const handle = temporal.workflow.getHandle(workflowId, runId)
  await eventually(
    () => handle.describe(),
    ({ status }) => status.name !== 'RUNNING',
  )
  await writeHistory(new URL(`${name}.json`, FOLDER), { workflowId, history: await handle.fetchHistory() })
  process.stdout.write(`${name}\n`)
}

await main()
