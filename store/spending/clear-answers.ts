import type { Store } from '../mongodb/connect.ts'
import type { Blobs } from '../objects/blobs.ts'

const PORTION = 500

/**
 * Forgets the kept answers, of one agent or of all, with their objects. A lease stays: its holder makes the answer.
 * @throws TroupeError storage_failed; what is left can be asked for again
 */
export async function clearAnswers(
  { store: { cache }, blobs }: { store: Pick<Store, 'cache'>; blobs: Pick<Blobs, 'remove'> },
  agent: string | undefined,
): Promise<{ answers: number; objects: number }> {
  const deleted = { answers: 0, objects: 0 }
  const kept = { lease: { $exists: false }, ...(agent !== undefined && { agent }) }
  for (;;) {
    const portion = await cache
      .find(kept, { projection: { pointer: 1 } })
      .limit(PORTION)
      .toArray()
    if (portion.length === 0) return deleted
    const keys = portion.flatMap(({ pointer }) => (pointer === undefined ? [] : [pointer.key]))
    await blobs.remove(keys)
    deleted.objects += keys.length
    const { deletedCount } = await cache.deleteMany({ _id: { $in: portion.map(({ _id }) => _id) }, ...kept })
    deleted.answers += deletedCount
  }
}
