import type { FindCursor } from 'mongodb'
import pLimit from 'p-limit'

/** Runs work when the concurrency limit permits. */
export type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** How many documents are deserialized at a time. */
const PORTION = 20
/** How many documents one reply contains; a client that does not read keeps this many in memory. */
const REPLY = 100
/** How many replies are awaited concurrently, so that hundreds of large lists leave database connections for small requests. */
const REPLIES_AT_ONCE = 16

const inTurn: Turn = pLimit(REPLIES_AT_ONCE)

/**
 * Yields the documents of a query in portions, which is far cheaper than one at a time. Closes the cursor when the
 * reader stops.
 * @param reply - number of documents in one reply of the server; larger when no slow client delays reading.
 * @param begin - decides when the first reply may be requested.
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
 * Reads the documents of a query up to a total size.
 * @param charactersOf - returns the size of a document.
 * @returns the documents, and whether there were more
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
