import { TroupeError } from '../core/errors.ts'
import { knownAgents, type KnownAgent } from '../store/agents.ts'
import type { Store } from '../store/connect.ts'

/**
 * Agents by their names, in their order.
 * @throws TroupeError not_found naming the first that no worker ever registered
 */
export async function findPlaces(store: Store, names: string[]): Promise<KnownAgent[]> {
  const known = await knownAgents(store, names)
  return names.map((name) => known.get(name) ?? unknownAgent(name))
}

/** One agent by its name. @throws TroupeError not_found */
export async function findPlace(store: Store, name: string): Promise<KnownAgent> {
  const [found] = await findPlaces(store, [name])
  return found ?? unknownAgent(name)
}

/** @throws TroupeError not_found */
export function unknownAgent(name: string): never {
  throw new TroupeError('not_found', `Agent "${name.slice(0, 100)}" is unknown; GET /api/agents lists the known ones.`)
}
