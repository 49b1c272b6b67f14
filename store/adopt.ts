import type { Store } from './connect.ts'
import type { ExecutionDocument, OpenDocument } from './documents.ts'
import { isDuplicateKey } from './duplicate-key.ts'
import { inSnapshot } from './in-snapshot.ts'
import { openDocument, RUNNING } from './open.ts'

/** What a version before `open` kept in the execution itself. */
type Found = ExecutionDocument & { detached?: true }

/** Some of what is stored: stages that choose among the executions, and among what is open. */
interface Part {
  ofExecutions: object[]
  ofOpen: object[]
}

const ALL: Part = { ofExecutions: [], ofOpen: [] }
const NEWEST_FIRST = [{ $sort: { created_at: -1, _id: -1 } }, { $limit: 1_000 }]
const NEWEST: Part = {
  ofExecutions: NEWEST_FIRST,
  ofOpen: [{ $match: { kind: { $in: ['prompt', 'job', 'chat'] } } }, ...NEWEST_FIRST],
}
const NEWEST_BATCHES = 100

/**
 * Makes what processes of earlier versions wrote as this one writes it: what is open, what is in trouble, and which event of
 * a job was its last. Takes a minute for millions of executions.
 */
export async function adoptEarlier(store: Store): Promise<void> {
  await adopt(store, ALL)
}

/**
 * The same for what processes of earlier versions wrote lately: they may be at work beside those of this version. Of the
 * newest batches those are looked through whose tasks do not add up.
 */
export async function* adoptRecent(store: Store): AsyncGenerator<undefined> {
  yield void (await adopt(store, NEWEST))
  const newest = store.batches.find({}, { projection: { _id: 1 } }).sort({ created_at: -1, _id: -1 })
  for (const { _id } of await newest.limit(NEWEST_BATCHES).toArray()) {
    if (await addsUp(store, _id)) continue
    const ofBatch = [{ $match: { batch_id: _id } }]
    yield void (await adopt(store, { ofExecutions: ofBatch, ofOpen: ofBatch }))
  }
}

/** Whether as many tasks of a batch are open and in trouble as it counts; those that are canceled and still stop are both. */
function addsUp(store: Store, id: string): Promise<boolean> {
  return inSnapshot(store, async (session) => {
    const batch = await store.batches.findOne({ _id: id }, { session })
    if (batch === null) return true
    const open = await store.open.countDocuments({ batch_id: id, ...RUNNING }, { session })
    const trouble = { batch_id: id, trouble: { $exists: true } }
    const troubled = await store.executions.countDocuments(trouble, { session })
    return open === batch.task_count - batch.succeeded - batch.failed && troubled === batch.failed
  })
}

async function adopt(store: Store, { ofExecutions, ofOpen }: Part): Promise<void> {
  await adoptOpen(store, ofExecutions)
  await forgetEnded(store, ofOpen)
  const unmarked = { trouble: { $exists: false }, status: { $in: ['failed', 'canceled'] } }
  const inTrouble = [...ofExecutions, { $match: unmarked }, { $project: { trouble: '$status' } }]
  await store.executions.aggregate([...inTrouble, mergeInto('executions')]).toArray()
  const lastEvents = [
    ...ofExecutions,
    { $match: { last_trace_id: { $exists: true } } },
    { $lookup: { from: 'traces', localField: 'last_trace_id', foreignField: '_id', as: 'event' } },
    { $match: { 'event._id': { $exists: true }, 'event.last': { $exists: false } } },
    { $project: { _id: '$last_trace_id', last: { $literal: true } } },
  ]
  await store.executions.aggregate([...lastEvents, mergeInto('traces')]).toArray()
}

function mergeInto(into: string) {
  return { $merge: { into, whenMatched: 'merge', whenNotMatched: 'discard' } }
}

async function adoptOpen({ executions, open }: Store, some: object[]): Promise<void> {
  const unknown = [
    ...some,
    { $match: { completed_at: null } },
    { $lookup: { from: 'open', localField: '_id', foreignField: '_id', as: 'open' } },
    { $match: { open: { $size: 0 } } },
    { $project: { inputs: 0, outputs: 0 } },
  ]
  const found = await executions.aggregate<Found>(unknown).toArray()
  if (found.length > 0) await open.insertMany(found.map(stateOf), { ordered: false }).catch(ignoreDuplicates)
}

/** What has come to rest in between, or under an earlier version, is not open. */
async function forgetEnded({ open }: Store, some: object[]): Promise<void> {
  const over = [
    ...some,
    { $lookup: { from: 'executions', localField: '_id', foreignField: '_id', as: 'execution' } },
    { $match: { 'execution.completed_at': { $type: 'date' } } },
    { $project: { _id: 1 } },
  ]
  const ids = (await open.aggregate<{ _id: string }>(over).toArray()).map(({ _id }) => _id)
  if (ids.length > 0) await open.deleteMany({ _id: { $in: ids } })
}

function stateOf(execution: Found): OpenDocument {
  const { kind, status, started_at, detached } = execution
  return {
    ...openDocument(execution),
    ...(kind === 'task' && started_at !== undefined ? { started: true } : {}),
    ...(status === 'canceled' ? { stopping: true } : {}),
    ...(detached === true ? { detached } : {}),
  }
}

function ignoreDuplicates(error: unknown): void {
  if (!isDuplicateKey(error)) throw error
}
