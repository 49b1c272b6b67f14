/** Progress at a point in time. */
interface Sample {
  at: number
  done: number
}

const WINDOW_MS = 60_000
const STALLED_MS = 30_000

/** Estimated speed of progress. */
export interface Rate {
  /** Items per second over the last minute; null while unknown. */
  perSecond: number | null
  /** Remaining milliseconds at this rate; null while unknown. */
  remainingMs: number | null
  /** Milliseconds since the last progress if that is long, otherwise null. */
  stalledMs: number | null
}

/** Estimates speed and remaining time from the last minute. */
export class ProgressRate {
  readonly #samples: Sample[] = []
  #changedAt: number | undefined

  /** @param now - milliseconds since any fixed time */
  add(done: number, total: number, now: number): Rate {
    if (done !== this.#samples.at(-1)?.done) this.#changedAt = now
    this.#samples.push({ at: now, done })
    while ((this.#samples[1]?.at ?? now) <= now - WINDOW_MS) this.#samples.shift()
    const idleMs = now - (this.#changedAt ?? now)
    if (done < total && idleMs >= STALLED_MS) return { perSecond: 0, remainingMs: null, stalledMs: idleMs }
    const oldest = this.#samples[0] as Sample
    const elapsedMs = now - oldest.at
    const perMs = elapsedMs === 0 ? 0 : (done - oldest.done) / elapsedMs
    if (perMs === 0) return { perSecond: null, remainingMs: null, stalledMs: null }
    return { perSecond: perMs * 1_000, remainingMs: (total - done) / perMs, stalledMs: null }
  }
}
