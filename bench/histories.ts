import { Client, Connection } from '@temporalio/client'

/** Maximum of each figure over all workflows of a kind. */
export interface LargestHistory {
  workflows: number
  /** Sum over all workflows. */
  eventsOfAll: number
  events: number
  bytes: number
  /** The largest single payload: arguments, results, markers. */
  payloadBytes: number
}

/** Reads the histories of all workflows of a namespace, by workflow type. */
export async function largestHistories(address: string): Promise<Record<string, LargestHistory>> {
  const connection = await Connection.connect({ address })
  try {
    const client = new Client({ connection })
    const largest: Record<string, LargestHistory> = {}
    for await (const { workflowId, runId, type, historyLength, historySize } of client.workflow.list()) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory()
      const before = largest[type] ?? { workflows: 0, eventsOfAll: 0, events: 0, bytes: 0, payloadBytes: 0 }
      largest[type] = {
        workflows: before.workflows + 1,
        eventsOfAll: before.eventsOfAll + historyLength,
        events: Math.max(before.events, historyLength),
        bytes: Math.max(before.bytes, historySize ?? 0),
        payloadBytes: Math.max(before.payloadBytes, largestBytes(history)),
      }
    }
    return largest
  } finally {
    await connection.close()
  }
}

/** Length of the largest byte string anywhere in a value. */
function largestBytes(value: unknown): number {
  if (value instanceof Uint8Array) return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((most, part) => Math.max(most, largestBytes(part)), 0)
}
