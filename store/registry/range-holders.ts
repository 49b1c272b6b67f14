import { setTimeout as sleep } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import { isDuplicateKey } from '../mongodb/duplicate-key.ts'
import type { Store } from '../mongodb/connect.ts'
import type { Workers } from './workers.ts'

/** A range of a batch's tasks that no other worker runs. */
export interface HeldRange {
  /** Another one has had it, or another activity of this worker has it: what that has begun may not be recorded yet. */
  mayBeBegun: boolean
  /** Called once, when whatever was begun of the range is recorded as begun, or will be before its code is entered. */
  letGo: () => void
}

export interface RangeHoldersOptions {
  store: Store
  workers: Pick<Workers, 'me' | 'isAlive'>
}

/** Nobody waits for a journal: a range that is forgotten when MongoDB's primary changes is begun as if nobody had it. */
const FAST = { writeConcern: { w: 1, journal: false } } as const
const POLL_MS = 250
const TRY_AGAIN_MS = 1_000

/**
 * Which worker runs which range of a batch's tasks. Temporal gives a range to the next worker when it hears nothing of it, or when
 * the history of the batch begins anew, and the worker before hears of that seconds later or not at all. Two that went
 * through the same tasks would enter the code of many twice, before either had recorded it.
 */
export class RangeHolders {
  readonly #options: RangeHoldersOptions
  /** Activities of this worker that have a range or wait for it. */
  readonly #users = new Map<string, number>()
  /** Ranges that this worker lets go of just now. */
  readonly #leaving = new Map<string, Promise<void>>()

  constructor(options: RangeHoldersOptions) {
    this.#options = options
  }

  /**
   * Holds a range for this worker. Waits while another one that lives has it.
   * @param id - of the range, `<batch>|<first index>`.
   * @param onWait - told once that another worker has it.
   */
  async hold(id: string, signal: AbortSignal, onWait: (holder: string) => void): Promise<HeldRange> {
    for (let leaving; (leaving = this.#leaving.get(id)) !== undefined;) {
      await pTimeout(leaving, { milliseconds: Infinity, signal })
    }
    this.#users.set(id, (this.#users.get(id) ?? 0) + 1)
    try {
      return { mayBeBegun: await this.#take(id, signal, onWait), letGo: () => this.#leave(id) }
    } catch (error) {
      // It may have been taken all the same.
      this.#leave(id)
      throw error
    }
  }

  /** Resolves when no worker that lives has a range of a batch. */
  async untilNoneHeld(batch: string, signal: AbortSignal): Promise<void> {
    const { store, workers } = this.#options
    // Digits follow the line, and `:` follows the digits.
    const filter = { _id: { $gte: `${batch}|0`, $lt: `${batch}|:` } }
    for (;;) {
      const held = await store.ranges.find(filter, { projection: { worker: 1 } }).toArray()
      if (!held.some(({ worker }) => workers.isAlive(worker))) return
      await sleep(POLL_MS, undefined, { signal })
    }
  }

  /** Resolves with whether another one has had it, or has it in this worker. */
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

/** Of two that insert the same document at the same time one is told so: it is there, and not known. */
function anotherWasFirst(error: unknown): undefined {
  if (!isDuplicateKey(error)) throw error
}

/** Others wait for this as long as this worker lives: it must not come back when MongoDB's primary changes. */
async function forget({ store, workers }: RangeHoldersOptions, id: string): Promise<void> {
  try {
    await store.ranges.deleteOne({ _id: id, worker: workers.me })
  } catch {
    await sleep(TRY_AGAIN_MS, undefined, { ref: false })
    await forget({ store, workers }, id)
  }
}
