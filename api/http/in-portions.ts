import type { FindCursor } from 'mongodb'
import pLimit from 'p-limit'

/** Does some work when its turn has come. */
export type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Documents that are in memory as objects at a time. */
const PORTION = 20
/** Documents that come in one reply, and that a client which reads nothing makes this process hold. */
const REPLY = 100
/** Replies that are awaited at a time: hundreds of large lists must leave connections to the database to those who ask for little. */
const REPLIES_AT_ONCE = 16

const inTurn: Turn = pLimit(REPLIES_AT_ONCE)

/**
 * What a query finds, in portions of what has come: far cheaper than one document at a time. The cursor is closed when its
 * reader stops.
 * @param reply - documents that one reply of the server brings; more where nobody's slowness holds them here.
 * @param begin - when the first may be asked for.
 */
export async function* inPortions<Document>(
  found: FindCursor<Document>,
  { reply = REPLY, begin = inTurn }: { reply?: number; begin?: Turn } = {},
): AsyncGenerator<Document[]> {
  found.batchSize(reply)
  const next = (): Promise<Document | null> => found.next()
  try {
    for (let first = await begin(next); first !== null; first = await inTurn(next)) {
      yield [first, ...found.readBufferedDocuments(PORTION - 1)]
    }
  } finally {
    await found.close()
  }
}

/**
 * All that a query finds, if that is at most so many characters.
 * @param charactersOf - a document's size.
 * @returns also whether there was more; the documents before that are there all the same
 */
export async function readSome<Document>(
  found: FindCursor<Document>,
  charactersOf: (document: Document) => number,
  maxCharacters: number,
): Promise<{ documents: Document[]; more: boolean }> {
  const documents: Document[] = []
  let characters = 0
  for await (const portion of inPortions(found)) {
    for (const document of portion) {
      characters += charactersOf(document)
      if (characters > maxCharacters) return { documents, more: true }
      documents.push(document)
    }
  }
  return { documents, more: false }
}
