import type { CallOptions, QueryOf, Schema } from './endpoint-types.ts'
import type { Transport } from './transport.ts'

/** Query of a batch without `fields`. */
export type BatchQuery = Omit<QueryOf<'/api/batches/{batch_id}', 'get'>, 'fields'>

/** One batch with all of its fields. */
export async function wholeBatch(
  transport: Transport,
  id: string,
  query: BatchQuery,
  options: CallOptions,
): Promise<Schema<'Batch'>> {
  const request = { path: { batch_id: id }, query, ...options }
  // Only a response to a query with `fields` omits fields.
  return (await transport.request('get', '/api/batches/{batch_id}', request)) as Schema<'Batch'>
}
