/** Number of remembered starts. */
const KEPT = 64

/** The rate at which calls begin. */
export class Pace {
  readonly #begins: number[] = []

  begun(at: number): void {
    this.#begins.push(at)
    if (this.#begins.length > KEPT) this.#begins.shift()
  }

  forget(): void {
    this.#begins.length = 0
  }

  /** The time that this number of calls takes to begin, in ms; 0 if the rate is unknown. */
  timeFor(calls: number, now: number): number {
    const [first] = this.#begins
    return first === undefined ? 0 : (calls * (now - first)) / this.#begins.length
  }
}
