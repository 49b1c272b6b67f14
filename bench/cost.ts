import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { workflowId } from '../core/queues.ts'
import { connectStore, type Store } from '../store/mongodb/connect.ts'
import { startApi, startWorker } from '../test/support/processes.ts'
import { TEST_AGENTS } from '../test/support/service.ts'
import { startStack } from '../test/support/stack.ts'

/** The used fields of an entry of MongoDB's profiler. */
interface Operation {
  op: string
  ns: string
  appName?: string
  command: Record<string, unknown>
  responseLength?: number
}

const DATABASE = 'cost'

/** Reports MongoDB operations by kind and the size of the history for one prompt, one model run and one batch. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-cost-'))
  const stack = await startStack()
  const env = { ...stack.env, MONGODB_DATABASE: DATABASE, AGENTS_DIR: TEST_AGENTS, TEST_FOLDER: folder }
  const [api, worker] = await Promise.all([startApi({ env }), startWorker({ env })])
  const store = connectStore({ uri: stack.env.MONGODB_URI ?? '', database: DATABASE, appName: 'cost' })
  const connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS ?? '' })
  const temporal = new Client({ connection })
  const post = async (path: string, body: unknown): Promise<Record<string, string>> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${api.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Record<string, string>
  }
  const job = (agent: string, inputs: unknown) => post('/api/jobs', { pipeline_name: agent, inputs })
  try {
    await job('instant', {})
    await account(store, temporal, 'one job of an instant code agent', () => job('instant', { a: 1 }))
    const tools = { steps: 1, calls: 2 }
    await account(store, temporal, 'one job: 2 model calls, 2 tool calls', () => job('many-tools', tools))
    const tasks = Array.from({ length: 1_000 }, (_, index) => ({ index }))
    await account(store, temporal, 'a batch of 1,000 instant tasks', () =>
      post('/api/agents/instant/batch', { tasks, wait: true }),
    )
  } finally {
    await connection.close()
    await Promise.all([api.stop(), worker.stop()])
    await store.close()
    await stack.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function account(store: Store, temporal: Client, name: string, work: () => Promise<Record<string, string>>) {
  await store.db.command({ profile: 0 })
  await store.db.collection('system.profile').drop()
  await store.db.createCollection('system.profile', { capped: true, size: 67_108_864 })
  await store.db.command({ profile: 2 })
  const answer = await work()
  await sleep(1_000)
  await store.db.command({ profile: 0 })
  const filter = { appName: { $in: ['troupe-api', 'troupe-worker'] } }
  const operations = await store.db.collection<Operation>('system.profile').find(filter).toArray()
  const id = workflowId(DATABASE, answer.job_id ?? answer.batch_id ?? '')
  const { historyLength, historySize } = await temporal.workflow.getHandle(id).describe()
  process.stdout.write(`\n${name}: ${historyLength} history events, ${historySize ?? '?'} bytes of history\n`)
  console.table(byKind(operations))
}

function byKind(operations: Operation[]): Record<string, { times: number; bytes_read: number }> {
  const kinds: Record<string, { times: number; bytes_read: number }> = {}
  for (const { op, ns, appName, command, responseLength = 0 } of operations) {
    // Ignores heartbeats, polls for cancels, the reconciler and the change stream, which also run without work.
    if (ns.endsWith('.agents') && op === 'update') continue
    const verb = op === 'command' ? Object.keys(command)[0] : op
    const kind = `${(appName ?? '').replace('troupe-', '')}: ${verb} ${ns.slice(DATABASE.length + 1)}`
    const sum = (kinds[kind] ??= { times: 0, bytes_read: 0 })
    sum.times += 1
    sum.bytes_read += responseLength
  }
  return kinds
}

await main()
