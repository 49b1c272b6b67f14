import { TroupeError } from '../../core/errors.ts'

/** Bodies up to this size are always accepted, so that large bodies do not block small ones. */
const SMALL_BYTES = 65_536
/** How long a large body waits for room. It is not read meanwhile, so the data stays at the client. */
const WAIT_MS = 20_000

/** The share of the room that one body occupies. */
export interface BodyPlace {
  /** Reduces the share to this many bytes; a share below 64 KiB is released. */
  keep: (bytes: number) => void
}

/** The memory that a process reserves for the bodies of all its requests. */
export interface BodyRoom {
  /**
   * Waits until there is room for a body.
   * @param bytes - maximum size of the body.
   * @param signal - fires when the response was sent or the client has disconnected; releases the share.
   * @throws TroupeError unavailable when there was no room for 20 s, or `signal` fired first
   */
  enter: (bytes: number, signal: AbortSignal) => Promise<BodyPlace>
}

/**
 * Limits the memory for request bodies: without this limit, some dozens of large bodies at once crash the process.
 * @param maxBytes - total size of all bodies; a larger body is never accepted.
 */
export function createBodyRoom(maxBytes: number, waitMs = WAIT_MS): BodyRoom {
  let freeBytes = maxBytes
  let waiting: { bytes: number; enter: () => void }[] = []

  /** Admits bodies in the order of arrival, so that smaller ones cannot starve a large one. */
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
        reject(new TroupeError('unavailable', 'Too many large request bodies are being processed; try again.'))
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
