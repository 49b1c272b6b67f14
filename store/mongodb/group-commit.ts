import { setImmediate, setTimeout } from 'node:timers/promises'

/** Something waiting in a group, with the promise that its caller holds. */
interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

export interface GroupCommitterOptions<Item, Result> {
  /** Does the work of a whole group; gives one result per item, in order. */
  commit: (items: Item[]) => Promise<Result[]>
  /** Largest group. */
  maxItems: number
  /** Largest sum of weights in a group; a heavier single item still goes, alone. */
  maxWeight: number
  weigh: (item: Item) => number
  /** How long the first item waits for company when nothing is being committed; 0 takes what came in the same turn. */
  gatherMs: number
}

/**
 * Group commit: items are handed to `commit` in their order, one group at a time. While one group is being committed the
 * next one gathers, so load makes groups larger, not slower.
 */
export class GroupCommitter<Item, Result> {
  readonly #options: GroupCommitterOptions<Item, Result>
  #waiting: Waiting<Item, Result>[] = []
  #busy = false
  #idle: Promise<void> = Promise.resolve()

  constructor(options: GroupCommitterOptions<Item, Result>) {
    this.#options = options
  }

  /** Adds an item; the promise settles when its group was committed or failed. */
  add(item: Item): Promise<Result> {
    const result = new Promise<Result>((resolve, reject) => this.#waiting.push({ item, resolve, reject }))
    if (!this.#busy) {
      this.#busy = true
      this.#idle = this.#work()
    }
    return result
  }

  /** Resolves when everything that was added has been committed or has failed. */
  async drain(): Promise<void> {
    await this.#idle
  }

  async #work(): Promise<void> {
    const { gatherMs } = this.#options
    await (gatherMs === 0 ? setImmediate() : setTimeout(gatherMs))
    while (this.#waiting.length > 0) {
      const group = this.#next()
      try {
        const results = await this.#options.commit(group.map(({ item }) => item))
        group.forEach(({ resolve }, index) => resolve(results[index] as Result))
      } catch (error) {
        group.forEach(({ reject }) => reject(error))
      }
    }
    this.#busy = false
  }

  #next(): Waiting<Item, Result>[] {
    const { maxItems, maxWeight, weigh } = this.#options
    let weight = 0
    let size = 0
    for (const { item } of this.#waiting) {
      weight += weigh(item)
      if (size > 0 && (size >= maxItems || weight > maxWeight)) break
      size += 1
    }
    return this.#waiting.splice(0, size)
  }
}
