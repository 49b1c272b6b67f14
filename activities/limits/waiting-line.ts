import type { KeyDemand } from '../../core/key-shares.ts'
import { CLASSES, type ByClass, type CallClass } from '../../core/provider-account.ts'

/** The turn of a call in the queue. */
export interface Turn {
  class: CallClass
  /** Name of the API key that submitted the run; empty if there is none. */
  key: string
  /** Weight of the key relative to other keys. */
  weight: number
}

/** Other workers learn of at most this many keys: those with the most calls. */
const MAX_KEYS = 100

/** Waiting calls, ordered by class. Within a class, API keys take turns by weight. */
export class WaitingLine<Item extends Turn> {
  readonly #classes: Record<CallClass, KeyTurns<Item>> = {
    chat: new KeyTurns(),
    prompt: new KeyTurns(),
    task: new KeyTurns(),
  }

  get sizes(): ByClass {
    const { chat, prompt, task } = this.#classes
    return { chat: chat.size, prompt: prompt.size, task: task.size }
  }

  /** Waiting calls behind the first ones, by class. */
  sizesBehind(first: number): ByClass {
    const sizes = this.sizes
    for (const name of CLASSES) {
      const ahead = Math.min(first, sizes[name])
      sizes[name] -= ahead
      first -= ahead
    }
    return sizes
  }

  /** Waiting calls of a class and of all classes before it. */
  countUpTo(name: CallClass): number {
    const before = CLASSES.slice(0, CLASSES.indexOf(name) + 1)
    return before.reduce((sum, each) => sum + this.#classes[each].size, 0)
  }

  /** Waiting tasks, by API key. */
  get keys(): KeyDemand[] {
    return this.#classes.task.keys
  }

  get isEmpty(): boolean {
    return CLASSES.every((name) => this.#classes[name].size === 0)
  }

  add(item: Item): void {
    this.#classes[item.class].add(item)
  }

  /** Removes the next call. */
  take(): Item | undefined {
    const name = CLASSES.find((each) => this.#classes[each].size > 0)
    return name === undefined ? undefined : this.#classes[name].take()
  }

  remove(item: Item): void {
    this.#classes[item.class].remove(item)
  }

  /**
   * From now on, keys of tasks take turns by these shares instead of their weights. A missing key counts as the
   * smallest.
   */
  shareBy(parts: ReadonlyMap<string, number>): void {
    this.#classes.task.shareBy(parts)
  }

  *[Symbol.iterator](): Generator<Item> {
    for (const name of CLASSES) yield* this.#classes[name]
  }
}

/** The calls of each key in order, and the progress of the key. The key with the least progress has the next turn. */
class KeyTurns<Item extends Turn> {
  readonly #keys = new Map<string, { items: Set<Item>; passed: number; weight: number }>()
  #now = 0
  size = 0
  #parts: ReadonlyMap<string, number> = new Map()
  #leastPart: number | undefined

  get keys(): KeyDemand[] {
    const all = [...this.#keys].map(([key, { items, weight }]) => ({ key, weight, waiting: items.size }))
    return all.toSorted((one, other) => other.waiting - one.waiting).slice(0, MAX_KEYS)
  }

  shareBy(parts: ReadonlyMap<string, number>): void {
    this.#parts = parts
    this.#leastPart = parts.size === 0 ? undefined : Math.min(...parts.values())
  }

  add(item: Item): void {
    const known = this.#keys.get(item.key)
    // An idle key does not accumulate turns.
    const turns = known ?? { items: new Set<Item>(), passed: this.#now, weight: item.weight }
    if (known === undefined) this.#keys.set(item.key, turns)
    turns.items.add(item)
    this.size += 1
  }

  take(): Item | undefined {
    let next: { items: Set<Item>; passed: number } | undefined
    for (const turns of this.#keys.values()) if (next === undefined || turns.passed < next.passed) next = turns
    const [item] = next?.items ?? []
    if (next === undefined || item === undefined) return undefined
    this.#now = next.passed
    next.passed += 1 / (this.#parts.get(item.key) ?? this.#leastPart ?? item.weight)
    this.remove(item)
    return item
  }

  remove(item: Item): void {
    const turns = this.#keys.get(item.key)
    if (turns?.items.delete(item) !== true) return
    this.size -= 1
    if (turns.items.size === 0) this.#keys.delete(item.key)
  }

  *[Symbol.iterator](): Generator<Item> {
    for (const { items } of this.#keys.values()) yield* items
  }
}
