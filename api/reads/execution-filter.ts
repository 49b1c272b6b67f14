import type { Filter } from 'mongodb'
import { MAX_TOTAL, type ExecutionFilter } from '../../contracts/executions.ts'
import { decodeNumber, pageOf, type CursorKey, type Page, type PageRequest } from '../http/cursor.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import { idRange } from '../../store/mongodb/id-range.ts'
import { KINDS } from '../../core/execution.ts'
import type { ExecutionDocument, OpenDocument } from '../../store/documents.ts'
import { RUNNING } from '../../store/open.ts'
import { totalExecutions } from './totals.ts'
import { datedKey, newestAfter } from './executions.ts'
import { LIST_TIME_MS, readPage } from './page-of-list.ts'
import { jobListFields, type JobListFields } from '../views/job-list-item.ts'

const LIST = 'all'
const BATCH_LIST = 'filtered-batch'

/** The fields that a list is sorted by. */
type Sorted = Pick<ExecutionDocument, '_id' | 'created_at' | 'batch_index'>

/**
 * Translates a filter to MongoDB, for executions that have ended or, without a status, for all. With an agent but without a
 * kind, the result lists every kind, so that one index serves both cases in the order of the list.
 */
function matching({ status, ...filter }: ExecutionFilter): Filter<ExecutionDocument> {
  const trouble = status === 'failed' || status === 'canceled'
  const isOfAgent = filter.agent !== undefined && filter.batch_id === undefined && !trouble
  return {
    ...(isOfAgent ? { kind: { $in: [...KINDS] } } : {}),
    ...matchingFields(filter),
    ...(trouble ? { trouble: status } : status && { status }),
  }
}

/** Translates a filter to MongoDB for running executions. */
export function matchingRunning(filter: Omit<ExecutionFilter, 'status'>): Filter<OpenDocument> {
  // A bound on the first key lets MongoDB compare the other keys within the index.
  const bound = filter.batch_id === undefined ? { created_at: { $gte: new Date(0) } } : {}
  return { ...bound, ...(matchingFields(filter) as Filter<OpenDocument>), ...RUNNING }
}

function matchingFields(filter: Omit<ExecutionFilter, 'status'>): Filter<ExecutionDocument> {
  const { kind, agent, batch_id, since, until, id_prefix } = filter
  const created = { ...(since && { $gte: since }), ...(until && { $lt: until }) }
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(agent === undefined ? {} : { prompt_name: agent }),
    ...(batch_id === undefined ? {} : { batch_id }),
    ...(since || until ? { created_at: created } : {}),
    ...(id_prefix === undefined ? {} : { _id: idRange(id_prefix) }),
  }
}

/** A page of the executions that match a filter: newest first, or for one batch the last submitted first. */
export async function listMatching(
  { executions, open }: Store,
  filter: ExecutionFilter,
  page: PageRequest,
): Promise<Page<JobListFields>> {
  const { limit, cursor } = page
  const list = filter.batch_id === undefined ? byTime(cursor) : byPlace(cursor)
  if (filter.status !== 'running') {
    const found = executions
      .find<JobListFields & Sorted>(list.restrict(matching(filter)), {
        projection: { ...jobListFields, batch_index: 1 },
      })
      .sort(list.sort)
    return pageOf(list.name, await readPage(found, page), limit, list.keyOf)
  }
  const found = open.find<Sorted>(list.restrict(matchingRunning(filter))).sort(list.sort)
  const { items, next_cursor } = pageOf(list.name, await readPage(found, page), limit, list.keyOf)
  const ids = items.map(({ _id }) => _id)
  // Skips executions that have ended between the two reads.
  const running = await executions
    .find<JobListFields>({ _id: { $in: ids }, status: 'running' }, { projection: jobListFields })
    .toArray()
  const byId = new Map(running.map((execution) => [execution._id, execution]))
  return { items: ids.flatMap((id) => byId.get(id) ?? []), next_cursor }
}

/** Counts the executions that match a filter, up to `MAX_TOTAL` to bound the cost. */
export async function totalMatching(store: Store, filter: ExecutionFilter): Promise<number> {
  const options = { limit: MAX_TOTAL, maxTimeMS: LIST_TIME_MS }
  if (filter.status === 'running') return store.open.countDocuments(matchingRunning(filter), options)
  const match = matching(filter)
  if (Object.keys(match).length === 0) return totalExecutions(store)
  return store.executions.countDocuments(match, options)
}

/** The order of a list, and the filter for items after the cursor. */
interface Order {
  name: string
  sort: Record<string, 1 | -1>
  keyOf: (item: Sorted) => CursorKey
  restrict: <Document>(match: Filter<Document>) => Filter<Document>
}

function byTime(cursor: string | undefined): Order {
  return {
    name: LIST,
    sort: { created_at: -1, _id: -1 },
    keyOf: datedKey,
    restrict: (match) => (cursor === undefined ? match : both(match, newestAfter<Sorted>(LIST, cursor, {}))),
  }
}

/** Sorts by the position in the batch, which is the order in time. */
function byPlace(cursor: string | undefined): Order {
  return {
    name: BATCH_LIST,
    sort: { batch_index: -1, _id: -1 },
    keyOf: ({ batch_index = 0 }) => [batch_index],
    restrict: (match) =>
      cursor === undefined ? match : { ...match, batch_index: { $lt: decodeNumber(BATCH_LIST, cursor) } },
  }
}

/** Combines two filters by repeating the first in each branch of the second, because MongoDB plans each branch separately. */
function both<Document>(match: Filter<Document>, { $or = [] }: Filter<Sorted>): Filter<Document> {
  return { $or: $or.map((branch) => ({ $and: [match, branch] })) } as Filter<Document>
}
