/** How far something was, and when. */
interface Sample {
  at: number
  done: number
}

const WINDOW_MS = 60_000
const STALLED_MS = 30_000

/** What can honestly be said about the speed of something. */
export interface Rate {
  /** Done a second, over the last minute; null while it cannot be told. */
  perSecond: number | null
  /** Milliseconds until it is done at this rate; null while it cannot be told. */
  remainingMs: number | null
  /** Milliseconds since the last progress, once that is long; else null. */
  stalledMs: number | null
}

/** Speed and remaining time from what was seen within the last minute. */
export class ProgressRate {
  readonly #samples: Sample[] = []
  #changedAt: number | undefined

  /** @param now - milliseconds since any fixed moment */
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
