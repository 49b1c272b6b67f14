import { TroupeError } from '../core/errors.ts'
import type { Store } from '../store/connect.ts'
import type { AgentPlace } from '../store/documents.ts'

/**
 * Where agents live, in the order of their names.
 * @throws TroupeError not_found naming the first that no worker ever registered
 */
export async function findPlaces({ byId }: Store, names: string[]): Promise<AgentPlace[]> {
  const found = await Promise.all(names.map((name) => byId.place(name)))
  return found.map((place, index) =>
    place === null ? unknownAgent(names[index] ?? '') : { name: place._id, pool: place.pool, kind: place.kind },
  )
}

/** Where one agent lives. @throws TroupeError not_found */
export async function findPlace(store: Store, name: string): Promise<AgentPlace> {
  const [place] = await findPlaces(store, [name])
  return place ?? unknownAgent(name)
}

/** @throws TroupeError not_found */
export function unknownAgent(name: string): never {
  throw new TroupeError('not_found', `Agent "${name.slice(0, 100)}" is unknown; GET /api/agents lists the known ones.`)
}
