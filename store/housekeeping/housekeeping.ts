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

/**
 * The state of a chore. It is in MongoDB, so that only one worker runs the chore, and another worker can continue it.
 */
interface ChoreDocument {
  _id: string
  next_at: Date
  /** The last yielded position; absent if the chore starts from the beginning. */
  position?: unknown
}

/** A periodic task in portions. After each portion, it yields the position to continue from. */
interface Chore {
  name: string
  everyMs: number
  run: (now: Date, position: never) => AsyncGenerator<unknown>
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** During an upgrade, processes of two versions submit and end executions side by side. */
const ADOPT_MS = 20_000
/** A pause follows each portion, and a pass takes a few seconds at most, because users' requests have precedence. */
const PAUSE_MS = 50
const BUDGET_MS = 4_000
/** A worker that dies during a chore delays the chore for this time. */
const LEASE_MS = 2 * MINUTE_MS
/** Time for another process to finish its own deletion. */
const DELETION_MS = 2 * MINUTE_MS

/**
 * Creates the housekeeping of an installation. Any worker calls it every few seconds, and it runs a part of the due
 * chores. A failed chore is logged and retried later.
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

/** Finishes deletions of processes that died or could not reach the object store. */
async function* finishDeletions(deps: DeletionDependencies, now: Date): AsyncGenerator<undefined> {
  const before = new Date(now.getTime() - DELETION_MS)
  for await (const deletion of deletionsOf(deps.store).find({ at: { $lt: before } })) {
    for await (const _counts of finishDeletion(deps, deletion)) yield undefined
  }
}

async function doSome({ store, log }: HousekeepingOptions, { name, everyMs, run }: Chore): Promise<void> {
  const states = store.db.collection<ChoreDocument>('housekeeping')
  try {
    // The server's clock, because a worker whose clock is ahead would delete data too early.
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
      // The chore is not due: its document exists, so the upsert failed.
      if (isDuplicateKey(error)) return undefined
      throw error
    }
  }
}
