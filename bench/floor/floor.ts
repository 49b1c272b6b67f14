import { randomUUID } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { drive } from '../statistics.ts'

/** The floor of bare Temporal: only the SDK, on the same servers. */
export interface Floor {
  /** One workflow with one no-op activity. */
  f1: () => Promise<unknown>
  /** 50 clients: workflows per second, and p99 in milliseconds. */
  f1Concurrent: () => Promise<{ perSecond: number; p99: number }>
  /** No-op activities per second of one workflow with 200 concurrent activities. */
  f3: () => Promise<number>
  close: () => Promise<void>
}

const FAN_OUT = 3_000

export async function createFloor(address: string): Promise<Floor> {
  const connection = await Connection.connect({ address })
  const client = new Client({ connection })
  const run = (type: string, args: unknown[]): Promise<unknown> =>
    client.workflow.execute(type, { taskQueue: 'floor', workflowId: randomUUID(), args })
  await run('one', [])
  return {
    f1: () => run('one', []),
    f1Concurrent: async () => {
      const { perSecond, times } = await drive(1_000, 50, () => run('one', []))
      return { perSecond, p99: times.p99 }
    },
    f3: async () => {
      const begun = performance.now()
      await run('fanOut', [FAN_OUT, 200])
      return FAN_OUT / ((performance.now() - begun) / 1_000)
    },
    close: () => connection.close(),
  }
}
