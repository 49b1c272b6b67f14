import { TroupeError } from '../../core/errors.ts'
import type { Budget } from '../../core/budget.ts'
import { knownAgents, type KnownAgent } from '../../store/registry/agents.ts'
import type { Store } from '../../store/mongodb/connect.ts'

/**
 * Agents by their names, in their order.
 * @throws TroupeError not_found naming the first that no worker ever registered
 */
export async function findAgents(store: Store, names: string[]): Promise<KnownAgent[]> {
  const known = await knownAgents(store, names)
  return names.map((name) => known.get(name) ?? unknownAgent(name))
}

/** One agent by its name. @throws TroupeError not_found */
export async function findAgent(store: Store, name: string): Promise<KnownAgent> {
  const [found] = await findAgents(store, [name])
  return found ?? unknownAgent(name)
}

/**
 * A budget in US dollars holds only where what models cost is known.
 * @throws TroupeError bad_request naming the first agent whose model has no price
 */
export function requirePrices(agents: KnownAgent[], ...budgets: (Budget | undefined)[]): void {
  if (budgets.every((budget) => budget?.usd === undefined)) return
  const found = agents.find(({ unpriced }) => unpriced !== undefined)
  if (found === undefined) return
  const sentence = `budget.usd cannot hold for agent "${found.name}": no price of ${found.unpriced} is known. Give it one in PRICES_FILE, or limit tokens.`
  throw new TroupeError('bad_request', sentence)
}

/**
 * Refuses the name of an agent that nobody registered.
 * @throws TroupeError not_found
 */
export function unknownAgent(name: string): never {
  throw new TroupeError('not_found', `Agent "${name.slice(0, 100)}" is unknown; GET /api/agents lists the known ones.`)
}
