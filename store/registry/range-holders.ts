import { setTimeout as sleep } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import { isDuplicateKey } from '../mongodb/duplicate-key.ts'
import type { Store } from '../mongodb/connect.ts'
import type { Workers } from './workers.ts'

/** A range of a batch's tasks that no other worker runs. */
export interface HeldRange {
  /**
   * Another worker had the range, or another activity of this worker has it. Tasks that it has begun may not be
   * recorded yet.
   */
  mayBeBegun: boolean
  /**
   * Releases the range. Call it once, when every begun task of the range is recorded as begun, or will be before its
   * code is entered.
   */
  letGo: () => void
}

export interface RangeHoldersOptions {
  store: Store
  workers: Pick<Workers, 'me' | 'isAlive'>
}

/**
 * Acquiring a range does not wait for the journal. If a change of MongoDB's primary loses a range, its next holder
 * begins it like an unused one.
 */
const FAST = { writeConcern: { w: 1, journal: false } } as const
const POLL_MS = 250
const TRY_AGAIN_MS = 1_000

/**
 * Records which worker runs which range of a batch's tasks. Temporal gives a range to another worker if the first one
 * sends no heartbeats or the batch's history continues as new. The first worker learns of this seconds later or never.
 * Without this record, two workers could enter the code of many tasks twice before either recorded them.
 */
export class RangeHolders {
  readonly #options: RangeHoldersOptions
  /** Number of this worker's activities that hold each range or wait for it. */
  readonly #users = new Map<string, number>()
  /** Ranges that this worker is releasing. */
  readonly #leaving = new Map<string, Promise<void>>()

  constructor(options: RangeHoldersOptions) {
    this.#options = options
  }

  /**
   * Acquires a range for this worker. Waits while another live worker holds it.
   * @param id - id of the range, `<batch>|<first index>`.
   * @param onWait - called once if another worker holds the range.
   */
  async hold(id: string, signal: AbortSignal, onWait: (holder: string) => void): Promise<HeldRange> {
    for (let leaving; (leaving = this.#leaving.get(id)) !== undefined;) {
      await pTimeout(leaving, { milliseconds: Infinity, signal })
    }
    this.#users.set(id, (this.#users.get(id) ?? 0) + 1)
    try {
      return { mayBeBegun: await this.#take(id, signal, onWait), letGo: () => this.#leave(id) }
    } catch (error) {
      // A failed write may still have acquired it.
      this.#leave(id)
      throw error
    }
  }

  /** Resolves when no live worker holds a range of the batch. */
  async untilNoneHeld(batch: string, signal: AbortSignal): Promise<void> {
    const { store, workers } = this.#options
    // Ids continue with digits after `|`, and `:` is the character after the digits.
    const filter = { _id: { $gte: `${batch}|0`, $lt: `${batch}|:` } }
    for (;;) {
      const held = await store.ranges.find(filter, { projection: { worker: 1 } }).toArray()
      if (!held.some(({ worker }) => workers.isAlive(worker))) return
      await sleep(POLL_MS, undefined, { signal })
    }
  }

  /** Resolves with whether another worker had the range, or another activity of this worker has it. */
  async #take(id: string, signal: AbortSignal, onWait: (holder: string) => void): Promise<boolean> {
    const { store, workers } = this.#options
    const mine = { worker: workers.me, at: new Date() }
    for (let hasWaited = false; ; hasWaited = true) {
      const holder = await store.ranges
        .findOneAndUpdate({ _id: id }, { $setOnInsert: mine }, { ...FAST, upsert: true, returnDocument: 'before' })
        .catch(anotherWasFirst)
      if (holder === null) return hasWaited
      if (holder?.worker === workers.me) return true
      if (holder !== undefined && !workers.isAlive(holder.worker)) {
        const taken = await store.ranges.updateOne({ _id: id, worker: holder.worker }, { $set: mine }, FAST)
        if (taken.modifiedCount > 0) return true
      }
      if (!hasWaited && holder !== undefined) onWait(holder.worker)
      await sleep(POLL_MS, undefined, { signal })
    }
  }

  #leave(id: string): void {
    const others = (this.#users.get(id) ?? 1) - 1
    if (others > 0) return void this.#users.set(id, others)
    this.#users.delete(id)
    const left = forget(this.#options, id).then(() => void this.#leaving.delete(id))
    this.#leaving.set(id, left)
  }
}

/** Ignores the duplicate-key error of concurrent inserts: the range is held, by an unknown worker. */
function anotherWasFirst(error: unknown): undefined {
  if (!isDuplicateKey(error)) throw error
}

/**
 * Deletes the record with retries and with the default write concern, because other workers wait for it as long as this
 * worker lives. It must not reappear after a change of MongoDB's primary.
 */
async function forget({ store, workers }: RangeHoldersOptions, id: string): Promise<void> {
  try {
    await store.ranges.deleteOne({ _id: id, worker: workers.me })
  } catch {
    await sleep(TRY_AGAIN_MS, undefined, { ref: false })
    await forget({ store, workers }, id)
  }
}
