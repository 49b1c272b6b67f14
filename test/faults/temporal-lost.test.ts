import { Connection } from '@temporalio/client'
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { startStack, type PrivateStack } from '../support/stack.ts'
import { FAULT_AGENTS } from './scene.ts'

const PROMPTS = 20
const INPUTS = { steps: 10, calls: 2, ms: 300 }
/** The engine's client tries for a minute. */
const ENDS_WITHIN_MS = 120_000

describe('A Temporal server that has lost its data', function () {
  this.timeout(300_000)
  // One of its own: the embedded server makes the usual one again by itself.
  const namespace = `lost-${randomUUID()}`
  let dataDir: string
  let stack: PrivateStack
  let service: TestService

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'troupe-lost-'))
    stack = await startStack({ dataDir })
    await register()
    const env = { TEMPORAL_NAMESPACE: namespace }
    service = await startTestService({ stack: stack.env, agentsDir: FAULT_AGENTS, env })
  })
  after(async () => {
    await service?.stop()
    await stack?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function register(): Promise<void> {
    const connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS ?? '' })
    const { workflowService: temporal } = connection
    await temporal.registerNamespace({ namespace, workflowExecutionRetentionPeriod: { seconds: 86_400 as never } })
    await eventually(
      () => temporal.listOpenWorkflowExecutions({ namespace, maximumPageSize: 1 }).catch(() => undefined),
      (answer) => answer !== undefined,
    )
    await connection.close()
  }

  it('ends the workers; new workers complete all open work without repeating any', async () => {
    const submissions = Array.from({ length: PROMPTS }, () =>
      service.request('POST', '/api/prompts', { prompt_name: 'laborer', inputs: INPUTS }),
    )
    const ids = (await Promise.all(submissions)).map(({ body }) => body.prompt_id as string)
    await eventually(
      () => service.store.traces.countDocuments({ event_type: 'tool_call' }),
      (calls) => calls > PROMPTS,
    )
    await stack.servers.temporal.kill()
    const data = join(dataDir, 'temporal')
    await rm(data, { recursive: true })
    await mkdir(data)
    await stack.servers.temporal.restart()
    await eventually(
      () => Promise.resolve(service.worker.pid),
      (pid) => pid === undefined,
      ENDS_WITHIN_MS,
    )
    expect(await service.worker.logs()).to.contain('"msg":"Worker failed"')
    await register()
    await service.worker.restart()
    for (const id of ids) {
      expect((await untilEnded(service, id, ENDS_WITHIN_MS)).body.status).to.equal('completed')
      const recorded = (type: string) => service.store.traces.countDocuments({ job_id: id, event_type: type as never })
      expect(await recorded('tool_call')).to.equal(INPUTS.steps * INPUTS.calls)
      expect(await recorded('task_complete')).to.equal(1)
    }
  })
})
