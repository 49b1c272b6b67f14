/** A place of running work. */
export interface Place {
  /**
   * Waits without the place, so that other work can use it. The work continues after the wait without queueing again.
   */
  rest: <Result>(wait: () => Promise<Result>) => Promise<Result>
}

/** Shorter waits keep their place, in ms. */
const SHORT_WAIT_MS = 1_000

/**
 * Limits concurrent work. Waiting work takes turns by key, so that a long queue of one key delays no other key. A key
 * with too much resting work begins nothing more, which bounds the resting work as well.
 */
export class FairLimit {
  readonly #size: number
  readonly #mostResting: number
  #running = 0
  /** Number of resting works, by key. */
  readonly #resting = new Map<string, number>()
  /** Waiting work, by key; the first key has the next turn. */
  readonly #waiting = new Map<string, Set<() => void>>()

  /**
   * Creates a limit without running work.
   * @param size - maximum number of concurrent works.
   * @param mostResting - maximum number of resting works per key.
   */
  constructor(size: number, mostResting = Infinity) {
    this.#size = size
    this.#mostResting = mostResting
  }

  /**
   * Runs the work when there is room for it.
   * @param signal - removes the work from the queue. Work that has begun may or may not observe it.
   * @throws the signal's reason if it fired before the work began.
   */
  async run<Result>(key: string, work: (place: Place) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted()
    if (this.#running < this.#size && this.#mayBegin(key)) this.#running += 1
    else await this.#turn(key, signal)
    let waits = 0
    let isResting = false
    let isOver = false
    const setResting = (rests: boolean): void => {
      // Abandoned work may still be waiting.
      if (isOver || rests === isResting) return
      isResting = rests
      this.#resting.set(key, (this.#resting.get(key) ?? 0) + (rests ? 1 : -1))
      if (this.#resting.get(key) === 0) this.#resting.delete(key)
      this.#running += rests ? -1 : 1
      this.#beginNext()
    }
    const rest: Place['rest'] = async (wait) => {
      waits += 1
      const timer = setTimeout(setResting, SHORT_WAIT_MS, true)
      try {
        return await wait()
      } finally {
        clearTimeout(timer)
        waits -= 1
        if (waits === 0) setResting(false)
      }
    }
    try {
      return await work({ rest })
    } finally {
      setResting(false)
      isOver = true
      this.#running -= 1
      this.#beginNext()
    }
  }

  #mayBegin(key: string): boolean {
    return (this.#resting.get(key) ?? 0) < this.#mostResting
  }

  /** Resolves when it is the key's turn. */
  async #turn(key: string, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>()
    const queue = this.#waiting.get(key) ?? new Set()
    this.#waiting.set(key, queue.add(begin))
    const leave = (): void => {
      if (queue.delete(begin) && queue.size === 0) this.#waiting.delete(key)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', leave)
    await promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  #beginNext(): void {
    while (this.#running < this.#size) {
      const turn = [...this.#waiting].find(([key]) => this.#mayBegin(key))
      if (turn === undefined) return
      const [key, queue] = turn
      const [begin] = queue
      if (begin !== undefined) queue.delete(begin)
      this.#waiting.delete(key)
      if (queue.size > 0) this.#waiting.set(key, queue)
      this.#running += 1
      begin?.()
    }
  }
}
