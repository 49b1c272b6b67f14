/** Calls whose beginnings are remembered. */
const KEPT = 64

/** How fast calls begin. */
export class Pace {
  readonly #begins: number[] = []

  begun(at: number): void {
    this.#begins.push(at)
    if (this.#begins.length > KEPT) this.#begins.shift()
  }

  forget(): void {
    this.#begins.length = 0
  }

  /** How long so many calls take to begin, in ms; 0 while nothing is known. */
  timeFor(calls: number, now: number): number {
    const [first] = this.#begins
    return first === undefined ? 0 : (calls * (now - first)) / this.#begins.length
  }
}
