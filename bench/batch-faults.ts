import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestService, type TestService } from '../test/support/service.ts'
import { startStack, type PrivateStack } from '../test/support/stack.ts'
import { largestHistories } from './histories.ts'
import { MemoryWatch } from './memory-watch.ts'

/**
 * `node bench/batch-faults.ts [tasks]`: runs one batch of instant tasks while the worker is killed three times and mongod once.
 * Exits with 1 when a task is missing or was recorded twice.
 */
const TASKS = Number(process.argv[2] ?? 100_000)
const POLL_MS = 200
const RESULT_FILE = 'bench-batch-faults.json'

const stack = await startStack()
const service = await startTestService({ stack: stack.env })
const watch = new MemoryWatch(() => ({ api: service.api.pid, worker: service.worker.pid }))
try {
  const tasks = Array.from({ length: TASKS }, (_, index) => ({ index }))
  const submittedAt = performance.now()
  const { status, body } = await service.request('POST', '/api/agents/instant/batch', { tasks })
  if (status !== 200) throw new Error(`The batch was refused: ${JSON.stringify(body)}`)
  const acceptedAt = performance.now()
  await kill(body.batch_id)
  await untilRecorded(body.batch_id, TASKS)
  const endedAt = performance.now()
  const memory = watch.take()
  const differences = await recordedWrongly(service, body.batch_id)
  const result = {
    tasks: TASKS,
    submit_s: (acceptedAt - submittedAt) / 1_000,
    run_s: (endedAt - acceptedAt) / 1_000,
    tasks_per_second: TASKS / ((endedAt - acceptedAt) / 1_000),
    memory,
    histories: await largestHistories(stack.env.TEMPORAL_ADDRESS ?? ''),
    differences,
  }
  console.dir(result, { depth: 4 })
  await writeFile(RESULT_FILE, JSON.stringify({ at: new Date(), ...result }, null, 2))
  if (differences.length > 0) process.exitCode = 1
} finally {
  watch.stop()
  await service.stop()
  await stack.stop()
}

/** Kills at a fifth, two fifths, half and three fifths of the tasks. */
async function kill(batchId: string): Promise<void> {
  for (const [part, name] of [
    [0.2, 'worker'],
    [0.4, 'worker'],
    [0.5, 'mongod'],
    [0.6, 'worker'],
  ] as const) {
    const recorded = await untilRecorded(batchId, TASKS * part)
    console.log(`${recorded} tasks are recorded: ${name} is killed`)
    if (name === 'worker') await restartWorker(service)
    else await restartMongod(stack)
  }
}

async function restartWorker({ worker }: TestService): Promise<void> {
  await worker.kill9()
  await worker.restart()
}

async function restartMongod({ servers }: PrivateStack): Promise<void> {
  await servers.mongod.kill()
  await servers.mongod.restart()
}

async function untilRecorded(batchId: string, count: number): Promise<number> {
  for (;;) {
    // The process may have been killed just now.
    const batch = await service.store.batches.findOne({ _id: batchId }).catch(() => null)
    const recorded = (batch?.succeeded ?? 0) + (batch?.failed ?? 0)
    if (recorded >= count) return recorded
    await sleep(POLL_MS)
  }
}

/** Differences between the expected and the stored state of the batch. */
async function recordedWrongly({ store }: TestService, batch_id: string): Promise<string[]> {
  const { executions, traces, steps, counters, batches } = store
  const events = (event_type: 'task_start' | 'task_complete') => traces.countDocuments({ batch_id, event_type })
  const moreThanOnce = [
    { $match: { batch_id } },
    { $group: { _id: { job: '$job_id', type: '$event_type' }, count: { $sum: 1 } } },
    { $match: { count: { $gt: 1 } } },
  ]
  const places = [{ $match: { batch_id } }, { $group: { _id: '$batch_index' } }, { $count: 'count' }]
  const [batch, ledger] = await Promise.all([batches.findOne({ _id: batch_id }), counters.findOne({ _id: 'ledger' })])
  const counted = {
    'tasks of the batch': batch?.task_count,
    'recorded as succeeded': batch?.succeeded,
    'executions that completed': await executions.countDocuments({ batch_id, status: 'completed' }),
    'executions with their own answer': await executions.countDocuments({
      batch_id,
      $expr: { $eq: ['$inputs.json', '$outputs.json'] },
    }),
    'places in the batch': (await executions.aggregate<{ count: number }>(places).toArray())[0]?.count,
    'task_start events': await events('task_start'),
    'task_complete events': await events('task_complete'),
    'records of an end': await steps.countDocuments({ _id: /\|end$/ }),
    'completed in the totals': ledger?.completed_jobs,
    'executions in the totals': ledger?.agents?.instant?.executions,
  }
  const twice = (await traces.aggregate(moreThanOnce, { allowDiskUse: true }).toArray()).length
  const others = (await traces.countDocuments({ batch_id })) - 2 * TASKS
  return [
    ...Object.entries(counted).flatMap(([what, count]) => (count === TASKS ? [] : [`${what}: ${count}`])),
    ...(batch?.status === 'completed' ? [] : [`status: ${batch?.status}`]),
    ...(twice === 0 ? [] : [`events that a task has twice: ${twice}`]),
    ...(others === 0 ? [] : [`events beside start and end: ${others}`]),
  ]
}
