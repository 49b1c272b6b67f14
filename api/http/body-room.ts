import { TroupeError } from '../../core/errors.ts'

/** A body of at most so many bytes is always taken: large ones keep no small one out. */
const SMALL_BYTES = 65_536
/** How long a large one waits for room. Nothing of it is read meanwhile, so that it waits at its client. */
const WAIT_MS = 20_000

/** What one body holds of the room. */
export interface BodyPlace {
  /** Gives back what is above so many bytes; nothing is held any more below 64 KiB. */
  keep: (bytes: number) => void
}

/** The room that a process has for the bodies of all its requests. */
export interface BodyRoom {
  /**
   * Waits until there is room for a body.
   * @param bytes - what it may have at most.
   * @param signal - fires when its client was answered or has gone: nothing is held any more then.
   * @throws TroupeError unavailable when there was none for 20 s, or `signal` fired first
   */
  enter: (bytes: number, signal: AbortSignal) => Promise<BodyPlace>
}

/**
 * Bounds the memory for bodies: without it, some dozens of large ones at once end a process.
 * @param maxBytes - bodies in all; one that is larger never gets in.
 */
export function createBodyRoom(maxBytes: number, waitMs = WAIT_MS): BodyRoom {
  let freeBytes = maxBytes
  let waiting: { bytes: number; enter: () => void }[] = []

  /** In the order of their coming: a large one is not overtaken for ever by those that need less. */
  function letIn(): void {
    for (let first = waiting[0]; first !== undefined && first.bytes <= freeBytes; first = waiting[0]) {
      waiting.shift()
      freeBytes -= first.bytes
      first.enter()
    }
  }

  function placeOf(held: number): BodyPlace {
    let heldBytes = held
    return {
      keep(bytes) {
        const kept = bytes <= SMALL_BYTES ? 0 : Math.min(bytes, heldBytes)
        freeBytes += heldBytes - kept
        heldBytes = kept
        letIn()
      },
    }
  }

  return {
    async enter(bytes, signal) {
      if (bytes <= SMALL_BYTES) return placeOf(0)
      const { promise, resolve: enter, reject } = Promise.withResolvers<void>()
      const comer = { bytes, enter }
      const over = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
      const giveUp = (): void => {
        waiting = waiting.filter((other) => other !== comer)
        letIn()
        reject(new TroupeError('unavailable', 'Many large bodies are being taken at the moment: try again.'))
      }
      over.addEventListener('abort', giveUp)
      waiting.push(comer)
      if (over.aborted) giveUp()
      else letIn()
      await promise.finally(() => over.removeEventListener('abort', giveUp))
      const place = placeOf(bytes)
      if (signal.aborted) place.keep(0)
      else signal.addEventListener('abort', () => place.keep(0), { once: true })
      return place
    },
  }
}
