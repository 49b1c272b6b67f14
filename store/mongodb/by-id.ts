import DataLoader from 'dataloader'
import type { Collection, Filter } from 'mongodb'

type Identified = { _id: unknown }

/** Reads a document by its id; null if there is none. */
export type ReadById<Stored extends Identified, Field extends keyof Stored = keyof Stored> = (
  id: Stored['_id'],
) => Promise<Pick<Stored, Field | '_id'> | null>

const MOST_TOGETHER = 64

/**
 * Creates a function that reads documents by their ids. Calls of one turn of the event loop share a query; no call
 * waits for the query of another turn.
 * @param fields - fields to read; default: all.
 */
export function readsById<Stored extends Identified, Field extends keyof Stored & string>(
  collection: Collection<Stored>,
  fields: Field[] = [],
): ReadById<Stored, Field> {
  const projection = Object.fromEntries(fields.map((field) => [field, 1]))
  const loader = new DataLoader<Stored['_id'], Stored | null>(
    async (ids) => {
      const filter = { _id: { $in: [...new Set(ids)] } } as Filter<Stored>
      const found = (await collection.find(filter, { projection }).toArray()) as unknown as Stored[]
      const byId = new Map(found.map((document) => [document._id, document]))
      return ids.map((id) => byId.get(id) ?? null)
    },
    // Without a cache, every call sees earlier writes.
    { cache: false, maxBatchSize: MOST_TOGETHER, batchScheduleFn: setImmediate },
  )
  return (id) => loader.load(id)
}
