import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Client } from '@temporalio/client'
import { NativeConnection, Worker } from '@temporalio/worker'
import { drive } from '../statistics.ts'

// F2: the floor with eager start, which needs client and worker on one connection in one process. Prints its median as JSON.
const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '' })
const worker = await Worker.create({
  connection,
  taskQueue: 'floor-eager',
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  activities: { nothing: () => Promise.resolve() },
})
const client = new Client({ connection })
const run = () =>
  client.workflow.execute('one', {
    taskQueue: 'floor-eager',
    workflowId: randomUUID(),
    args: [],
    requestEagerStart: true,
  })
await worker.runUntil(async () => {
  await run()
  const { times } = await drive(100, 1, run)
  process.stdout.write(`${JSON.stringify({ p50: times.p50 })}\n`)
})
await connection.close()
