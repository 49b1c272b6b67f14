import { Client, Connection, type WorkflowHandle } from '@temporalio/client'
import { workflowId } from '../../core/queues.ts'

/** Temporal as an operator of a service sees it. */
export interface TemporalOfService {
  client: Client
  /** The workflow of an execution or batch. */
  handleOf: (id: string) => WorkflowHandle
  close: () => Promise<void>
}

/** Connects to the Temporal of a service. */
export async function connectTemporal(env: Record<string, string>): Promise<TemporalOfService> {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, MONGODB_DATABASE: queue = '' } = env
  const connection = await Connection.connect({ address })
  const client = new Client({ connection, namespace })
  return {
    client,
    handleOf: (id) => client.workflow.getHandle(workflowId(queue, id)),
    close: () => connection.close(),
  }
}
