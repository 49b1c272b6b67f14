import { setImmediate, setTimeout } from 'node:timers/promises'

/** An item that waits for its group, with the promise of its caller. */
interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

export interface GroupCommitterOptions<Item, Result> {
  /** Commits a whole group and returns one result per item, in order. */
  commit: (items: Item[]) => Promise<Result[]>
  /** Maximum number of items in a group. */
  maxItems: number
  /** Maximum total weight of a group. A heavier single item forms a group of its own. */
  maxWeight: number
  weigh: (item: Item) => number
  /** How long the first item waits for others while no commit is running; 0 takes the items of the same turn. */
  gatherMs: number
}

/**
 * Group commit: passes items to `commit` in order, one group at a time. The next group gathers during a commit, so
 * higher load makes groups larger instead of slower.
 */
export class GroupCommitter<Item, Result> {
  readonly #options: GroupCommitterOptions<Item, Result>
  #waiting: Waiting<Item, Result>[] = []
  #busy = false
  #idle: Promise<void> = Promise.resolve()

  constructor(options: GroupCommitterOptions<Item, Result>) {
    this.#options = options
  }

  /** Adds an item. The promise settles when its group has been committed or has failed. */
  add(item: Item): Promise<Result> {
    const result = new Promise<Result>((resolve, reject) => this.#waiting.push({ item, resolve, reject }))
    if (!this.#busy) {
      this.#busy = true
      this.#idle = this.#work()
    }
    return result
  }

  /** Resolves when all added items have been committed or have failed. */
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
