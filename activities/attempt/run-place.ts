import type { Place } from './fair-limit.ts'

/**
 * The place of a run in its worker. A run may outlive the activity that began it: the next one that follows it brings a new place,
 * and what waits then leaves that one, too.
 */
export class RunPlace implements Place {
  #place: Place | undefined
  readonly #waits = new Set<Promise<unknown>>()

  /** The run has this place until another one is given; undefined where places are not counted. */
  constructor(place: Place | undefined) {
    this.#place = place
  }

  /** A wait takes nobody's place, so that it may be as long as it likes; elsewhere it is left to the workflow. */
  get mayRest(): boolean {
    return this.#place !== undefined
  }

  /** Waits for what others have or hold; that takes nobody's place. */
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

  /** The run has this place from now on. */
  replace(place: Place): void {
    this.#place = place
    // How a wait ends is for those who wait.
    for (const waiting of this.#waits) place.rest(() => waiting).catch(() => undefined)
  }
}
