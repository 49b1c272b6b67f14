import type { CallOptions, QueryOf, Schema } from './endpoint-types.ts'
import type { Transport } from './transport.ts'

/** What may be asked of a batch beside single fields. */
export type BatchQuery = Omit<QueryOf<'/api/batches/{batch_id}', 'get'>, 'fields'>

/** One batch with all of its fields. */
export async function wholeBatch(
  transport: Transport,
  id: string,
  query: BatchQuery,
  options: CallOptions,
): Promise<Schema<'Batch'>> {
  const request = { path: { batch_id: id }, query, ...options }
  // Only a response to `fields` leaves some out.
  return (await transport.request('get', '/api/batches/{batch_id}', request)) as Schema<'Batch'>
}
