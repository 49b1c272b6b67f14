import { JsonText } from './json-text.ts'

/** An answer that is larger is made for each client on its own, while it is sent. */
const HELD_CHARACTERS = 1_048_576

/** Reads an answer that others may share; gives nothing when it is too large to be held. */
export type Share = (key: string, read: () => Promise<unknown>) => Promise<JsonText | undefined>

/**
 * Lets clients that ask the same at the same time share one reading. Who comes while one is under way gets the next: every
 * answer was read after it was asked for, so that whoever has just written something sees it. However many watch the same
 * list, it is read once at a time.
 */
export function shareReads(): Share {
  const under = new Map<string, Reading>()
  return function share(key, read) {
    const reading = under.get(key) ?? new Reading(() => under.delete(key))
    under.set(key, reading)
    return reading.join(async () => heldText(await read()))
  }
}

/** The readings of one answer, one after the other. */
class Reading {
  readonly #onIdle: () => void
  #current: Promise<void> | undefined
  #next: Promise<JsonText | undefined> | undefined

  constructor(onIdle: () => void) {
    this.#onIdle = onIdle
  }

  join(read: () => Promise<JsonText | undefined>): Promise<JsonText | undefined> {
    if (this.#current === undefined) return this.#begin(read)
    this.#next ??= this.#current.then(() => {
      this.#next = undefined
      return this.#begin(read)
    })
    return this.#next
  }

  #begin(read: () => Promise<JsonText | undefined>): Promise<JsonText | undefined> {
    const answer = read()
    const settle = (): void => {
      this.#current = undefined
      if (this.#next === undefined) this.#onIdle()
    }
    this.#current = answer.then(settle, settle)
    return answer
  }
}

async function heldText(answer: unknown): Promise<JsonText | undefined> {
  if (!(answer instanceof JsonText)) return new JsonText(JSON.stringify(answer))
  if (typeof answer.source === 'string') return answer
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer.source) {
    length += part.length
    if (length > HELD_CHARACTERS) return undefined
    parts.push(Buffer.from(part as string))
  }
  return new JsonText(Buffer.concat(parts).toString())
}
