import { fileURLToPath } from 'node:url'
import { NativeConnection, Worker } from '@temporalio/worker'

// The worker of the floor: only the SDK, in a separate process like the worker of the service.
const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '' })
const worker = await Worker.create({
  connection,
  taskQueue: 'floor',
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  activities: { nothing: () => Promise.resolve() },
  maxConcurrentActivityTaskExecutions: 400,
})
const running = worker.run()
process.stdout.write('{"msg":"worker ready"}\n')
await running
await connection.close()
