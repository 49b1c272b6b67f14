import type { Place } from './fair-limit.ts'

/**
 * The place of a run in its worker. A run may outlive the activity that began it. The next activity brings a new place,
 * which the run's waits then leave as well.
 */
export class RunPlace implements Place {
  #place: Place | undefined
  readonly #waits = new Set<Promise<unknown>>()

  /** Creates the run's initial place; undefined if places are not limited. */
  constructor(place: Place | undefined) {
    this.#place = place
  }

  /** Whether waits may leave the place, and may therefore last long here. Otherwise the workflow waits. */
  get mayRest(): boolean {
    return this.#place !== undefined
  }

  /** Waits without occupying the place. */
  async rest<Result>(wait: () => Promise<Result>): Promise<Result> {
    if (this.#place === undefined) return wait()
    const waiting = wait()
    this.#waits.add(waiting)
    try {
      return await this.#place.rest(() => waiting)
    } finally {
      this.#waits.delete(waiting)
    }
  }

  /** Replaces the run's place. */
  replace(place: Place): void {
    this.#place = place
    // The waiting code handles the outcome of the wait.
    for (const waiting of this.#waits) place.rest(() => waiting).catch(() => undefined)
  }
}
