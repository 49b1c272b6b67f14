import { addAbortListener } from 'node:events'
import { inLargePieces, JsonText } from './json-text.ts'

/** An answer that is larger is made for each client on its own, while it is sent. */
const HELD_BYTES = 1_048_576
/** Who has waited this long for others' reading reads on its own: that one may be held up by something of the moment. */
const PATIENCE_MS = 10_000

/** Makes an answer. @param released - fires when nothing more will be taken of it. */
type Read<Answer> = (released: AbortSignal) => Promise<Answer>

/**
 * Answers one client. One who asks alone gets the answer as it is made; one of many gets JSON that they share.
 * @param key - says what is asked for.
 * @param released - fires when this client's answer was sent or the client has gone.
 */
export type Share<Answer> = (key: string, released: AbortSignal, read: Read<Answer>) => Promise<Answer | Buffer>

/**
 * Lets clients that ask the same at the same time share one reading. Who comes while one is under way gets the next: every
 * answer was read after it was asked for, so that whoever has just written something sees it. However many watch the same
 * thing, it is read once at a time.
 */
export function shareReads<Answer>({ patienceMs = PATIENCE_MS } = {}): Share<Answer> {
  const asked = new Map<string, Sharing>()
  return async function share(key, released, read) {
    const known = asked.get(key)
    const sharing = known ?? new Sharing(patienceMs, () => asked.delete(key))
    asked.set(key, sharing)
    sharing.enter(released)
    return (known === undefined ? undefined : await known.join(read)) ?? (await read(released))
  }
}

// One for all: making an error for every answer costs more than many a query.
const READ = new Error('The answer was read, or all who asked for it have gone.')

/** Those who ask for one thing, and the readings that they share, one after the other. */
class Sharing {
  readonly #patienceMs: number
  readonly #onEmpty: () => void
  #clients = 0
  #current: { released: AbortController; settled: Promise<void> } | undefined
  #next: Promise<Buffer | undefined> | undefined
  #tooLarge = false

  constructor(patienceMs: number, onEmpty: () => void) {
    this.#patienceMs = patienceMs
    this.#onEmpty = onEmpty
  }

  enter(released: AbortSignal): void {
    this.#clients += 1
    addAbortListener(released, () => {
      this.#clients -= 1
      if (this.#clients > 0) return
      this.#onEmpty()
      this.#current?.released.abort(READ)
    })
  }

  /** Gives nothing when the answer is too large to be held, or does not come. */
  async join(read: Read<unknown>): Promise<Buffer | undefined> {
    const patience = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => patience.resolve(undefined), this.#patienceMs)
    try {
      return await Promise.race([this.#reading(read), patience.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  #reading(read: Read<unknown>): Promise<Buffer | undefined> {
    if (this.#next !== undefined) return this.#next
    if (this.#current === undefined) return this.#begin(read)
    this.#next = this.#current.settled.then(() => {
      this.#next = undefined
      return this.#begin(read)
    })
    return this.#next
  }

  async #begin(read: Read<unknown>): Promise<Buffer | undefined> {
    if (this.#tooLarge) return undefined
    const settled = Promise.withResolvers<void>()
    // A reading that is shared ends with the last of its clients, not with the one that began it.
    const released = new AbortController()
    this.#current = { released, settled: settled.promise }
    try {
      const json = await heldJson(await read(released.signal))
      this.#tooLarge = json === undefined
      return json
    } finally {
      released.abort(READ)
      this.#current = undefined
      settled.resolve()
    }
  }
}

async function heldJson(answer: unknown): Promise<Buffer | undefined> {
  if (!(answer instanceof JsonText)) return Buffer.from(JSON.stringify(answer))
  if (typeof answer.source === 'string') return Buffer.from(answer.source)
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of inLargePieces(answer.source)) {
    bytes += piece.length
    if (bytes > HELD_BYTES) return undefined
    pieces.push(piece)
  }
  return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
}
