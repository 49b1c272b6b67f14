import DataLoader from 'dataloader'
import type { Collection, Filter } from 'mongodb'

type Identified = { _id: unknown }

/** Reads a document by its id; null when there is none. */
export type ReadById<Stored extends Identified, Field extends keyof Stored = keyof Stored> = (
  id: Stored['_id'],
) => Promise<Pick<Stored, Field | '_id'> | null>

const MOST_TOGETHER = 64

/**
 * Reads documents by their ids. Those that are asked for in one turn of the event loop come with one query; nobody waits for
 * another's.
 * @param fields - what is read of them; everything by default.
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
    // Whoever asks sees what was written before.
    { cache: false, maxBatchSize: MOST_TOGETHER, batchScheduleFn: setImmediate },
  )
  return (id) => loader.load(id)
}
