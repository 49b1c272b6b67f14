import type { Filter } from 'mongodb'
import { MAX_TOTAL, type ExecutionFilter } from '../../contracts/executions.ts'
import { decodeNumber, pageOf, type Page, type PageRequest } from '../http/cursor.ts'
import type { Store } from '../../store/connect.ts'
import { idRange } from '../../store/id-range.ts'
import { KINDS, STATUSES } from '../../core/execution.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import { totalExecutions } from './totals.ts'
import { datedKey, newestAfter } from './executions.ts'
import { LIST_TIME_MS, readPage } from './page-of-list.ts'
import { jobListFields, type JobListFields } from '../views/job-list-item.ts'

const LIST = 'all'
const BATCH_LIST = 'filtered-batch'

/**
 * What a filter means to MongoDB. A field that an index begins with is always there, if need be with all of its values: so
 * one index serves every combination, and gives what it finds in the order of the list.
 */
export function matching(filter: ExecutionFilter): Filter<ExecutionDocument> {
  const { status, kind, agent, batch_id, since, until, id_prefix } = filter
  const byIndex = status !== undefined || kind !== undefined || agent !== undefined
  const created = { ...(since && { $gte: since }), ...(until && { $lt: until }) }
  return {
    ...(agent === undefined ? {} : { prompt_name: agent }),
    ...(batch_id === undefined ? {} : { batch_id }),
    ...(byIndex && batch_id === undefined ? { kind: kind ?? { $in: KINDS }, status: status ?? { $in: STATUSES } } : {}),
    ...(batch_id === undefined || status === undefined ? {} : { status }),
    ...(batch_id === undefined || kind === undefined ? {} : { kind }),
    ...(since || until ? { created_at: created } : {}),
    ...(id_prefix === undefined ? {} : { _id: idRange(id_prefix) }),
  }
}

/** A page of the executions that a filter fits, newest first. */
export function listMatching(store: Store, filter: ExecutionFilter, page: PageRequest): Promise<Page<JobListFields>> {
  return filter.batch_id === undefined ? listByTime(store, filter, page) : listOfBatch(store, filter, page)
}

/** Executions that a filter fits, counted no further than `MAX_TOTAL`: that bounds what a count reads of an index. */
export async function totalMatching(store: Store, filter: ExecutionFilter): Promise<number> {
  const match = matching(filter)
  if (Object.keys(match).length === 0) return totalExecutions(store)
  return store.executions.countDocuments(match, { limit: MAX_TOTAL, maxTimeMS: LIST_TIME_MS })
}

async function listByTime({ executions }: Store, filter: ExecutionFilter, page: PageRequest) {
  const { limit, cursor } = page
  const match = matching(filter)
  const found = executions
    .find<JobListFields>(cursor === undefined ? match : both(match, newestAfter(LIST, cursor, {})), {
      projection: jobListFields,
    })
    .sort({ created_at: -1, _id: -1 })
  return pageOf(LIST, await readPage(found, page), limit, datedKey)
}

/** Each branch of the second repeats the first: a branch is planned by itself. */
function both(match: Filter<ExecutionDocument>, { $or = [] }: Filter<ExecutionDocument>): Filter<ExecutionDocument> {
  return { $or: $or.map((branch) => ({ $and: [match, branch] })) }
}

/** The tasks of one batch, the last submitted first: their place in the batch is their order in time. */
async function listOfBatch(
  { executions }: Store,
  filter: ExecutionFilter,
  page: PageRequest,
): Promise<Page<JobListFields>> {
  const { limit, cursor } = page
  const below = cursor === undefined ? undefined : decodeNumber(BATCH_LIST, cursor)
  const found = executions
    .find<JobListFields & { batch_index: number }>(
      { ...matching(filter), ...(below === undefined ? {} : { batch_index: { $lt: below } }) },
      { projection: { ...jobListFields, batch_index: 1 } },
    )
    .sort({ batch_index: -1, _id: -1 })
  return pageOf(BATCH_LIST, await readPage(found, page), limit, ({ batch_index }) => [batch_index])
}
