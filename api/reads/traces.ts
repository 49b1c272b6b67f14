import type { Filter } from 'mongodb'
import { decodeNumber, encodeCursor, pageOf, type PageRequest } from '../http/cursor.ts'
import { TroupeError } from '../../core/errors.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import type { TraceDocument } from '../../store/documents.ts'
import { inPortions, readSome } from '../http/in-portions.ts'
import { jsonArray, jsonLater, jsonObject, type JsonText } from '../http/json-text.ts'
import { endingWith, LIST_TIME_MS, restrictTo, turnOf } from './page-of-list.ts'
import { longTraceGroupView, traceGroupView, traceViews } from '../views/trace.ts'

const NEWEST_FIRST = 'traces'
const OLDEST_FIRST = 'traces-of-job'
const GROUPS = 'groups'
/** How many groups one query reads, and how much of them is kept in memory; the rest is read while it is sent. */
const GROUPS_TOGETHER = 50
const HELD_CHARACTERS = 4_194_304
/** How many events one reply contains in the search for jobs: a job has several events, and a thousand are small. */
const EVENTS_TOGETHER = 1_000
/** An event without its payload. */
const EVENT_CHARACTERS = 300

interface TraceQuery extends PageRequest {
  job_id: string | undefined
  agent_name: string | undefined
}

/** A page of trace events, read while it is sent: oldest first for one job, otherwise newest first. */
export function tracePage({ traces }: Store, query: TraceQuery): JsonText {
  const { job_id, agent_name, limit, cursor } = query
  const oldestFirst = job_id !== undefined
  const order = oldestFirst ? OLDEST_FIRST : NEWEST_FIRST
  const filter: Filter<TraceDocument> = {
    ...(job_id === undefined ? {} : { job_id }),
    ...(agent_name === undefined ? {} : { agent_name }),
    ...(cursor === undefined ? {} : { _id: { [oldestFirst ? '$gt' : '$lt']: decodeNumber(order, cursor) } }),
  }
  const found = restrictTo(traces.find(filter, endingWith(query)).sort({ _id: oldestFirst ? 1 : -1 }), query)
  const sent = { count: 0, lastId: 0, more: false }
  const views = async function* () {
    for await (const portion of inPortions(found, { begin: turnOf(query) })) {
      const page = portion.slice(0, limit - sent.count)
      sent.more = page.length < portion.length
      sent.count += page.length
      sent.lastId = page.at(-1)?._id ?? sent.lastId
      if (page.length > 0) yield traceViews(page)
    }
  }
  return jsonObject({
    traces: jsonArray(views()),
    next_cursor: jsonLater(() => (sent.more ? encodeCursor(order, [sent.lastId]) : null)),
  })
}

/** The last of the events of a job that were committed together. */
type LastEvent = Pick<TraceDocument, '_id' | 'job_id'>

/** The jobs with the latest events, latest first, and the highest event id that this page includes. */
export async function listGroups(
  store: Store,
  page: PageRequest,
): Promise<{ jobs: string[]; lastId: number; next_cursor: string | null }> {
  const { limit, cursor } = page
  const below = cursor === undefined ? undefined : decodeNumber(GROUPS, cursor)
  const found = await turnOf(page)(() => newestJobs(store, page, below))
  const { items, next_cursor } = pageOf(GROUPS, found, limit, ({ _id }) => [_id])
  return { jobs: items.map(({ job_id }) => job_id), lastId: items[0]?._id ?? 0, next_cursor }
}

/**
 * The last events of the jobs with the latest events, newest first: one page plus one more, if there is one.
 * @param below - excludes jobs with events from this id on.
 */
async function newestJobs(
  { traces, executions }: Store,
  page: PageRequest,
  below: number | undefined,
): Promise<LastEvent[]> {
  const found = traces
    .find<LastEvent>({ last: true, ...(below !== undefined && { _id: { $lt: below } }) }, endingWith(page))
    .project<LastEvent>({ _id: 1, job_id: 1 })
    .sort({ _id: -1 })
    .maxTimeMS(LIST_TIME_MS)
  const seen = new Set<string>()
  const newest: LastEvent[] = []
  let skipped = 0
  for await (const portion of inPortions(found, { reply: EVENTS_TOGETHER })) {
    const fresh = portion.filter(({ job_id }) => !seen.has(job_id) && seen.add(job_id))
    if (fresh.length === 0) continue
    const later = below === undefined ? [] : await jobsWithEventsFrom({ executions }, fresh, below)
    const jobs = fresh.filter(({ job_id }) => !later.includes(job_id))
    const before = Math.min((page.offset ?? 0) - skipped, jobs.length)
    skipped += before
    newest.push(...jobs.slice(before))
    if (newest.length > page.limit) break
  }
  return newest
}

function jobsWithEventsFrom({ executions }: Pick<Store, 'executions'>, events: LastEvent[], id: number) {
  return executions.distinct('_id', { _id: { $in: events.map(({ job_id }) => job_id) }, last_trace_id: { $gte: id } })
}

/**
 * Yields each job with all of its events; omits jobs whose events were deleted.
 * @param lastId - highest event id of the page; later events would contradict the order of the jobs.
 */
export async function* readGroups({ traces }: Store, jobs: string[], lastId: number): AsyncGenerator<JsonText> {
  for (let from = 0; from < jobs.length; from += GROUPS_TOGETHER) {
    const together = jobs.slice(from, from + GROUPS_TOGETHER)
    const held = await holdGroups(traces, together, lastId)
    for (const job of together) {
      const events = held.get(job)
      if (events === undefined) yield* readGroup(traces, job, lastId)
      else if (isFilled(events)) yield traceGroupView(job, events)
    }
  }
}

/** Reads the events of as many of these jobs as fit into memory; a job without events has an empty entry. */
async function holdGroups(
  traces: Store['traces'],
  jobs: string[],
  lastId: number,
): Promise<Map<string, TraceDocument[]>> {
  const found = traces.find({ job_id: { $in: jobs }, _id: { $lte: lastId } }).sort({ job_id: 1, _id: 1 })
  const sizeOf = ({ payload }: TraceDocument): number => payload.length + EVENT_CHARACTERS
  const { documents, more } = await readSome(found, sizeOf, HELD_CHARACTERS)
  const byJob = Map.groupBy(documents, ({ job_id }) => job_id)
  const lastRead = documents.at(-1)?.job_id ?? ''
  // Events arrive in the order of job ids, so those of the last job may be incomplete.
  const whole = jobs.filter((job) => !more || job < lastRead)
  return new Map(whole.map((job) => [job, byJob.get(job) ?? []]))
}

/** A job with too many events for memory; reads them while they are sent. */
async function* readGroup(traces: Store['traces'], job: string, lastId: number): AsyncGenerator<JsonText> {
  const portions = inPortions(traces.find({ job_id: job, _id: { $lte: lastId } }).sort({ _id: 1 }))
  try {
    const { value: beginning } = await portions.next()
    if (beginning?.[0] !== undefined) yield longTraceGroupView(job, beginning[0], startingWith(beginning, portions))
  } finally {
    await portions.return(undefined)
  }
}

function isFilled<Item>(items: Item[]): items is [Item, ...Item[]] {
  return items.length > 0
}

async function* startingWith<Item>(first: Item, rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield first
  yield* rest
}

/**
 * Reads a trace event.
 * @throws TroupeError not_found, also for an id that is not an integer.
 */
export async function findTrace({ byId }: Store, id: string): Promise<TraceDocument> {
  const found = /^\d{1,15}$/.test(id) ? await byId.trace(Number(id)) : null
  if (found === null) throw new TroupeError('not_found', `Trace event "${id.slice(0, 100)}" does not exist.`)
  return found
}
