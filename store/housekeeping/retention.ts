import { codeOf } from '../../core/errors.ts'
import type { Store } from '../mongodb/connect.ts'
import {
  beginBatchDeletion,
  finishDeletion,
  finishPortion,
  takePortion,
  type DeletionDependencies,
} from './deletion.ts'

/** Documents per portion; a pause follows each. */
const PORTION = 500

/**
 * Deletes trace events older than `before`, oldest first, except those of running executions.
 * @param after - the event after which to continue: the last one that an interrupted pass yielded.
 */
export async function* expireTraces({ traces, executions }: Store, before: Date, after = 0): AsyncGenerator<number> {
  for (;;) {
    // Ids follow the time, so no old event comes after a portion without one.
    const portion = await traces
      .find({ _id: { $gt: after } }, { projection: { job_id: 1, timestamp: 1 } })
      .sort({ _id: 1 })
      .limit(PORTION)
      .toArray()
    const old = portion.filter(({ timestamp }) => timestamp < before)
    const last = old.at(-1)
    if (last === undefined) return
    const jobs = [...new Set(old.map(({ job_id }) => job_id))]
    const running = await executions
      .find({ _id: { $in: jobs }, completed_at: null }, { projection: { _id: 1 } })
      .map(({ _id }) => _id)
      .toArray()
    const kept = new Set(running)
    const expired = old.filter(({ job_id }) => !kept.has(job_id))
    await traces.deleteMany({ _id: { $in: expired.map(({ _id }) => _id) } })
    after = last._id
    yield after
  }
}

/** Deletes batches that ended before `before`, oldest first, with all of their tasks. */
export async function* expireBatches(deps: DeletionDependencies, before: Date): AsyncGenerator<undefined> {
  const ended = { created_at: { $lt: before }, completed_at: { $lt: before } }
  const found = deps.store.batches.find(ended, { projection: { _id: 1 } }).sort({ created_at: 1, _id: 1 })
  for await (const { _id } of found) {
    const deletion = await beginBatchDeletion(deps.store, _id, before).catch(ifGone)
    if (deletion === undefined) continue
    for await (const _counts of finishDeletion(deps, deletion)) yield undefined
  }
}

/**
 * Deletes executions that ended before `before`, oldest first. Tasks are deleted with their batches.
 * @param from - submission time from which to continue: the last one that an interrupted pass yielded.
 */
export async function* expireExecutions(
  deps: DeletionDependencies,
  before: Date,
  from = new Date(0),
): AsyncGenerator<Date> {
  const { executions } = deps.store
  for (;;) {
    const found = await executions
      .find(
        { created_at: { $gte: from, $lt: before }, completed_at: { $lt: before }, kind: { $ne: 'task' } },
        { projection: { created_at: 1 } },
      )
      .sort({ created_at: 1, _id: 1 })
      .limit(PORTION)
      .toArray()
    const last = found.at(-1)
    if (last === undefined) return
    const filter = { _id: { $in: found.map(({ _id }) => _id) } }
    for (
      let portion = await takePortion(deps.store, filter);
      portion;
      portion = await takePortion(deps.store, filter)
    ) {
      await finishPortion(deps, portion)
    }
    from = last.created_at
    yield from
  }
}

/** Ignores a batch that has been deleted in the meantime or runs again. */
function ifGone(error: unknown): undefined {
  if (!['not_found', 'conflict'].includes(String(codeOf(error)))) throw error
}
