import { Readable } from 'node:stream'

type Source = string | AsyncIterable<string | Uint8Array>

/** Responses are sent in chunks of this size. Two are generated before the headers, so that an early failure gets an error status. */
const PIECE_BYTES = 65_536

/** JSON text, or a stream of it, which is inserted into a response without being parsed. */
export class JsonText {
  readonly source: Source

  constructor(source: Source) {
    this.source = source
  }
}

/** An object whose fields are plain values or JSON text; a single string when no field is a stream. */
export function jsonObject<Shape extends object>(fields: {
  [Field in keyof Shape]: Shape[Field] | JsonText
}): JsonText {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const parts = entries.flatMap(([key, value], index) => [
    `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`,
    sourceOf(value),
  ])
  if (parts.length === 0) return new JsonText('{}')
  return joined([...parts, '}'])
}

/**
 * An array whose items (plain values or JSON text) are generated while it is sent. A text may contain several items,
 * separated by commas.
 */
export function jsonArray(items: AsyncIterable<unknown> | Iterable<unknown>): JsonText {
  return new JsonText(enclosed('[', items, ']'))
}

/** An object whose fields are generated while it is sent. @param entries - texts of one or several `"name":value`. */
export function jsonEntries(entries: AsyncIterable<JsonText>): JsonText {
  return new JsonText(enclosed('{', entries, '}'))
}

async function* enclosed(
  opening: string,
  items: AsyncIterable<unknown> | Iterable<unknown>,
  closing: string,
): AsyncGenerator<string | Uint8Array> {
  let before = opening
  for await (const item of items) {
    const source = sourceOf(item)
    if (typeof source === 'string') yield before + source
    else yield* chunks(before, source)
    before = ','
  }
  yield before === opening ? opening + closing : closing
}

/** JSON text that is generated when it is sent, so that it may depend on the text before it. */
export function jsonLater(make: () => unknown): JsonText {
  return new JsonText(
    (async function* () {
      yield* chunks(sourceOf(make()))
    })(),
  )
}

/**
 * Converts JSON text to a body for koa. A text of one chunk becomes a buffer, a longer one a stream, whose first two chunks are generated here.
 * @throws any error of generating these chunks
 */
export async function sendable({ source }: JsonText): Promise<string | Buffer | Readable> {
  if (typeof source === 'string') return source
  const pieces = inLargePieces(source)
  const first = await pieces.next()
  if (first.done) return ''
  const second = await pieces.next()
  if (second.done) return first.value
  const stream = Readable.from(resumed([first.value, second.value], pieces), { objectMode: false })
  // Closes the source when the reader has stopped or never started.
  stream.once('close', () => void pieces.return(undefined).catch(() => {}))
  return stream
}

function joined(parts: Source[]): JsonText {
  if (parts.every((part) => typeof part === 'string')) return new JsonText(parts.join(''))
  return new JsonText(chunks(...parts))
}

function sourceOf(value: unknown): Source {
  return value instanceof JsonText ? value.source : JSON.stringify(value ?? null)
}

async function* chunks(...sources: Source[]): AsyncGenerator<string | Uint8Array> {
  for (const source of sources) {
    if (typeof source === 'string') yield source
    else yield* source
  }
}

/** Joins small parts to chunks of at least PIECE_BYTES. */
export async function* inLargePieces(source: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let text = ''
  let length = 0
  const piece = (): Buffer => {
    if (text !== '') parts.push(Buffer.from(text))
    const whole = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    parts = []
    text = ''
    length = 0
    return whole
  }
  for await (const part of source) {
    if (typeof part === 'string') text += part
    else {
      parts.push(Buffer.from(text), Buffer.from(part.buffer, part.byteOffset, part.length))
      text = ''
    }
    length += part.length
    if (length >= PIECE_BYTES) yield piece()
  }
  if (length > 0) yield piece()
}

async function* resumed<Piece>(made: Piece[], rest: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  yield* made
  yield* rest
}
