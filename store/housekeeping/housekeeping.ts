import { setTimeout as pause } from 'node:timers/promises'
import { messageOf } from '../../core/errors.ts'
import type { Log } from '../../log.ts'
import { adoptRecent } from '../adopt.ts'
import { deletionsOf, finishDeletion, type DeletionDependencies } from './deletion.ts'
import { collectOrphans } from './orphans.ts'
import { expireBatches, expireExecutions, expireTraces } from './retention.ts'
import { isDuplicateKey } from '../mongodb/duplicate-key.ts'
import { serverTime } from '../mongodb/server-time.ts'

export interface HousekeepingOptions extends DeletionDependencies {
  log: Log
  /** Days after which trace events are deleted; undefined keeps them (TRACE_RETENTION_DAYS). */
  traceDays: number | undefined
  /** Days after which ended executions and batches are deleted; undefined keeps them (EXECUTION_RETENTION_DAYS). */
  executionDays: number | undefined
}

/** Where a chore stands: kept in MongoDB, so that only one worker does it, and another goes on where it stopped. */
interface ChoreDocument {
  _id: string
  next_at: Date
  /** What the chore yielded last; absent when it begins anew. */
  position?: unknown
}

/** Something that is done from time to time, in portions; it yields the place to go on from after each. */
interface Chore {
  name: string
  everyMs: number
  run: (now: Date, position: never) => AsyncGenerator<unknown>
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** While an installation is upgraded, processes of two versions submit and end work side by side. */
const ADOPT_MS = 20_000
/** Each portion is followed by a pause, and each pass goes on for a few seconds at most: what people wait for comes first. */
const PAUSE_MS = 50
const BUDGET_MS = 4_000
/** A worker that dies at a chore holds it up for this long. */
const LEASE_MS = 2 * MINUTE_MS
/** A deletion that somebody else began is given this long to be finished by him. */
const DELETION_MS = 2 * MINUTE_MS

/**
 * Creates the housekeeping of an installation: called every few seconds on any worker, it does what is due, a little at a
 * time. What fails is logged and tried again later.
 */
export function createHousekeeping(options: HousekeepingOptions): () => Promise<void> {
  const chores = choresOf(options)
  return async function keepHouse(): Promise<void> {
    for (const chore of chores) await doSome(options, chore)
  }
}

function choresOf(deps: HousekeepingOptions): Chore[] {
  const { traceDays, executionDays } = deps
  return [
    { name: 'earlier versions', everyMs: ADOPT_MS, run: (now) => adoptRecent(deps.store, now) },
    { name: 'deletions', everyMs: MINUTE_MS, run: (now) => finishDeletions(deps, now) },
    ...(traceDays === undefined ? [] : traceChores(deps, traceDays)),
    ...(executionDays === undefined ? [] : executionChores(deps, executionDays)),
    { name: 'orphans', everyMs: DAY_MS, run: (now, after) => collectOrphans(deps, now, after) },
  ]
}

function traceChores({ store }: HousekeepingOptions, days: number): Chore[] {
  return [{ name: 'traces', everyMs: HOUR_MS, run: (now, after) => expireTraces(store, daysBefore(now, days), after) }]
}

function executionChores(deps: HousekeepingOptions, days: number): Chore[] {
  return [
    { name: 'batches', everyMs: HOUR_MS, run: (now) => expireBatches(deps, daysBefore(now, days)) },
    {
      name: 'executions',
      everyMs: HOUR_MS,
      run: (now, from) => expireExecutions(deps, daysBefore(now, days), from),
    },
  ]
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

/** What a process left undone that died at a deletion, or that could not reach the object store. */
async function* finishDeletions(deps: DeletionDependencies, now: Date): AsyncGenerator<undefined> {
  const before = new Date(now.getTime() - DELETION_MS)
  for await (const deletion of deletionsOf(deps.store).find({ at: { $lt: before } })) {
    for await (const _counts of finishDeletion(deps, deletion)) yield undefined
  }
}

async function doSome({ store, log }: HousekeepingOptions, { name, everyMs, run }: Chore): Promise<void> {
  const states = store.db.collection<ChoreDocument>('housekeeping')
  try {
    // A worker whose clock is ahead would delete what is not old.
    const now = new Date(await serverTime(store))
    const due = await claim(now)
    if (due === undefined) return
    const until = Date.now() + BUDGET_MS
    for await (const position of run(now, due.position as never)) {
      if (Date.now() > until) return void (await states.updateOne({ _id: name }, { $set: { next_at: now, position } }))
      await pause(PAUSE_MS)
    }
    const nextAt = new Date(now.getTime() + everyMs)
    await states.updateOne({ _id: name }, { $set: { next_at: nextAt }, $unset: { position: 1 } })
  } catch (error) {
    log.warn({ chore: name, error: messageOf(error) }, 'housekeeping failed; trying again in some minutes')
  }

  async function claim(at: Date): Promise<ChoreDocument | undefined> {
    const lease = { $set: { next_at: new Date(at.getTime() + LEASE_MS) } }
    try {
      const due = { _id: name, next_at: { $lte: at } }
      return (await states.findOneAndUpdate(due, lease, { upsert: true, returnDocument: 'after' })) ?? undefined
    } catch (error) {
      // It is not due: the document that the upsert would have made is there.
      if (isDuplicateKey(error)) return undefined
      throw error
    }
  }
}
