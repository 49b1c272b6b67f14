import { inLargePieces, JsonText } from './json-text.ts'

/** A larger answer is made for each client on its own, while it is sent. */
const HELD_BYTES = 1_048_576

/** Makes an answer. @param responseClosed - fires when nothing more will be taken of it. */
type Read<Answer> = (responseClosed: AbortSignal) => Promise<Answer>

/** One answer to one question. @param key - says what is asked for. */
export type Share<Answer> = (key: string, responseClosed: AbortSignal, read: Read<Answer>) => Promise<Answer | JsonText>

interface Flight {
  settled: Promise<void>
  /** The reading that those share who came during this one. */
  next?: Promise<JsonText | undefined>
}

/**
 * Single flight: clients that ask the same while it is being read share one reading. It begins when the present one has
 * ended, so every answer was read after it was asked for, and whoever has just written something sees it.
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
    present.next ??= present.settled.then(() => track(key, held(read)))
    return (await present.next) ?? (await read(responseClosed))
  }
}

/** The whole text of an answer; undefined when it is too large to be held. */
async function held(read: Read<unknown>): Promise<JsonText | undefined> {
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
