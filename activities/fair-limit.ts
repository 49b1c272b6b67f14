/** Bounds how much is done at once. Those who wait take turns by their key, so that a long queue of one holds up no other. */
export class FairLimit {
  readonly #size: number
  #running = 0
  /** Who waits, by key; the first key is the next one's turn. */
  readonly #waiting = new Map<string, (() => void)[]>()

  constructor(size: number) {
    this.#size = size
  }

  /** Does the work when there is room for it. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#size) this.#running += 1
    else await new Promise<void>((resume) => this.#wait(key, resume))
    try {
      return await work()
    } finally {
      this.#handOver()
    }
  }

  #wait(key: string, resume: () => void): void {
    const queue = this.#waiting.get(key)
    if (queue === undefined) this.#waiting.set(key, [resume])
    else queue.push(resume)
  }

  #handOver(): void {
    const [turn] = this.#waiting
    if (turn === undefined) return void (this.#running -= 1)
    const [key, queue] = turn
    const resume = queue.shift()
    this.#waiting.delete(key)
    if (queue.length > 0) this.#waiting.set(key, queue)
    resume?.()
  }
}
