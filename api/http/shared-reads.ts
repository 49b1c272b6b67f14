import { inLargePieces, JsonText } from './json-text.ts'

/** Maximum size of a shared response; a larger one is generated for each client while it is sent. */
const HELD_BYTES = 1_048_576

/** Generates a response. @param responseClosed - fires when no client reads it any more. */
type Read<Answer> = (responseClosed: AbortSignal) => Promise<Answer>

/** Shares the response of equal requests. @param key - identifies what is requested. */
export type Share<Answer> = (key: string, responseClosed: AbortSignal, read: Read<Answer>) => Promise<Answer | JsonText>

interface Flight {
  settled: Promise<void>
  /** The next read, shared by requests that arrived during this one. */
  next?: Promise<JsonText | undefined>
}

/**
 * Single flight: equal requests that arrive during a read share the next read. That read starts after the current one has
 * ended, so every response is read after its request arrived, and clients see their own writes.
 */
export function shareReads<Answer>(): Share<Answer> {
  const flights = new Map<string, Flight>()
  const track = <Result>(key: string, reading: Promise<Result>): Promise<Result> => {
    const flight: Flight = { settled: reading.then(ignore, ignore) }
    flights.set(key, flight)
    void flight.settled.then(() => flights.get(key) === flight && flights.delete(key))
    return reading
  }
  return async function share(key, responseClosed, read) {
    const present = flights.get(key)
    if (present === undefined) return track(key, read(responseClosed))
    present.next ??= present.settled.then(() => track(key, bufferResponse(read)))
    return (await present.next) ?? (await read(responseClosed))
  }
}

/** The whole text of a response; undefined when it is too large to buffer. */
async function bufferResponse(read: Read<unknown>): Promise<JsonText | undefined> {
  const taken = new AbortController()
  try {
    const answer = await read(taken.signal)
    if (!(answer instanceof JsonText)) return new JsonText(JSON.stringify(answer))
    if (typeof answer.source === 'string') return answer
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of inLargePieces(answer.source)) {
      bytes += piece.length
      if (bytes > HELD_BYTES) return undefined
      pieces.push(piece)
    }
    return new JsonText(Buffer.concat(pieces).toString('utf8'))
  } finally {
    taken.abort()
  }
}

function ignore(): void {}
