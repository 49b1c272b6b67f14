import { TroupeError } from '../core/errors.ts'
import type { Store } from '../store/connect.ts'
import type { AgentPlace } from '../store/documents.ts'

/**
 * Where agents live, in the order of their names.
 * @throws TroupeError not_found naming the first that no worker ever registered
 */
export async function findPlaces({ agents }: Store, names: string[]): Promise<AgentPlace[]> {
  const projection = { pool: 1, kind: 1 } as const
  const found = await agents.find({ _id: { $in: [...new Set(names)] } }, { projection }).toArray()
  const places = new Map(found.map(({ _id, pool, kind }) => [_id, { name: _id, pool, kind }]))
  return names.map((name) => places.get(name) ?? unknownAgent(name))
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
