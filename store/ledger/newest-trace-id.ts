import type { Filter, FindOptions } from 'mongodb'
import type { Store } from '../mongodb/connect.ts'
import type { TraceDocument } from '../documents.ts'

/** Id of the newest trace event that matches a filter; 0 if there is none. */
export async function newestTraceId(
  { traces }: Pick<Store, 'traces'>,
  filter: Filter<TraceDocument> = {},
  options: Pick<FindOptions, 'readConcern' | 'readPreference'> = {},
): Promise<number> {
  const newest = await traces.findOne(filter, { sort: { _id: -1 }, projection: { _id: 1 }, ...options })
  return newest?._id ?? 0
}
