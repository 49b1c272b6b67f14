import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from './mongodb/connect.ts'
import type { ExecutionDocument, OpenDocument } from './documents.ts'
import { isDuplicateKey } from './mongodb/duplicate-key.ts'
import { inSnapshot } from './mongodb/in-snapshot.ts'
import { openDocument, RUNNING } from './open.ts'
import { serverTime } from './mongodb/server-time.ts'

/** An execution with a field that versions without `open` kept in the execution itself. */
type Found = ExecutionDocument & { detached?: true }

/** A selection of stored data: aggregation stages for the executions and for the open documents. */
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
const AT_ONCE = 1_000
/**
 * Longer than a transaction may take. After this time, whatever ended an execution that was found open has been
 * committed.
 */
const SETTLED_MS = 6_000
/** Maximum duration of an upgrade. */
const UPGRADE_MS = 3_600_000

/** Records that processes of an earlier version may be running. */
interface Upgrade {
  _id: string
  until?: Date
}

const upgradeOf = ({ db }: Pick<Store, 'db'>) => db.collection<Upgrade>('upgrades')

/**
 * Converts the data of earlier versions to the form of this version: which executions are open, which are in trouble,
 * and which event of a job was its last. Takes a minute for millions of executions.
 */
export async function adoptEarlier(store: Store): Promise<void> {
  await adopt(store, ALL)
}

/** Records that processes of an earlier version may run for another hour. */
export async function noteUpgrade(store: Store): Promise<void> {
  const until = new Date((await serverTime(store)) + UPGRADE_MS)
  await upgradeOf(store).updateOne({ _id: 'open' }, { $set: { until } }, { upsert: true })
}

/**
 * During an upgrade, converts the recent data of earlier versions. Of the newest batches, it converts those whose
 * counts do not match. At the end of the upgrade, it converts everything once more.
 */
export async function* adoptRecent(store: Store, now: Date): AsyncGenerator<undefined> {
  const { until } = (await upgradeOf(store).findOne({ _id: 'open' })) ?? {}
  if (until === undefined) return
  if (until < now) {
    await adopt(store, ALL)
    await upgradeOf(store).deleteOne({ _id: 'open', until })
    return
  }
  yield void (await adopt(store, NEWEST))
  const newest = store.batches.find({}, { projection: { _id: 1 } }).sort({ created_at: -1, _id: -1 })
  for (const { _id } of await newest.limit(NEWEST_BATCHES).toArray()) {
    if (await addsUp(store, _id)) continue
    const ofBatch = [{ $match: { batch_id: _id } }]
    yield void (await adopt(store, { ofExecutions: ofBatch, ofOpen: ofBatch }))
  }
}

/**
 * Whether the open and the troubled tasks of a batch match its counts. Canceled tasks that have not stopped are both.
 */
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
  await markOpen(store, ofOpen)
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

async function adoptOpen(store: Store, some: object[]): Promise<void> {
  const unknown = [
    ...some,
    { $match: { completed_at: null } },
    { $lookup: { from: 'open', localField: '_id', foreignField: '_id', as: 'open' } },
    { $match: { open: { $size: 0 } } },
    { $project: { inputs: 0, outputs: 0 } },
  ]
  let portion: Found[] = []
  const adopted: string[] = []
  const insert = async (): Promise<void> => {
    if (portion.length === 0) return
    await store.open.insertMany(portion.map(stateOf), { ordered: false }).catch(ignoreDuplicates)
    adopted.push(...portion.map(({ _id }) => _id))
    portion = []
  }
  for await (const found of store.executions.aggregate<Found>(unknown)) {
    portion.push(found)
    if (portion.length === AT_ONCE) await insert()
  }
  await insert()
  if (adopted.length === 0) return
  // An execution that ended between the read and the insert did not remove its new open document. Check again once its
  // transaction has certainly been committed.
  await sleep(SETTLED_MS)
  for (let from = 0; from < adopted.length; from += AT_ONCE)
    await forgetEnded(store, [{ $match: { _id: { $in: adopted.slice(from, from + AT_ONCE) } } }])
}

/** Removes open documents of executions that an earlier version ended or that were deleted. */
async function forgetEnded({ open }: Store, some: object[]): Promise<void> {
  const over = [
    ...some,
    { $lookup: { from: 'executions', localField: '_id', foreignField: '_id', as: 'execution' } },
    { $match: { $or: [{ execution: { $size: 0 } }, { 'execution.completed_at': { $type: 'date' } }] } },
    { $project: { _id: 1 } },
  ]
  const ids: string[] = []
  const remove = async (): Promise<void> => void (await open.deleteMany({ _id: { $in: ids.splice(0) } }))
  for await (const { _id } of open.aggregate<{ _id: string }>(over)) if (ids.push(_id) === AT_ONCE) await remove()
  if (ids.length > 0) await remove()
}

/** Copies the marks that an earlier version kept in the execution: started, stopping, detached. */
async function markOpen({ open }: Store, some: object[]): Promise<void> {
  const marks = (of: object) => ({ $cond: [of, true, '$$REMOVE'] })
  const marked = [
    ...some,
    { $lookup: { from: 'executions', localField: '_id', foreignField: '_id', as: 'execution' } },
    { $unwind: '$execution' },
    {
      $project: {
        stopping: marks({ $eq: ['$execution.status', 'canceled'] }),
        started: marks({ $and: [{ $eq: ['$kind', 'task'] }, { $gt: ['$execution.started_at', null] }] }),
        detached: marks({ $eq: ['$execution.detached', true] }),
      },
    },
    { $match: { $or: ['stopping', 'started', 'detached'].map((mark) => ({ [mark]: true })) } },
    mergeInto('open'),
  ]
  await open.aggregate(marked).toArray()
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
