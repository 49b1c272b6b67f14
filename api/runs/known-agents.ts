import { TroupeError } from '../../core/errors.ts'
import type { Budget } from '../../core/budget.ts'
import { knownAgents, type KnownAgent } from '../../store/registry/agents.ts'
import type { Store } from '../../store/mongodb/connect.ts'

/**
 * Finds agents by name, in the given order.
 * @throws TroupeError not_found that names the first unregistered agent
 */
export async function findAgents(store: Store, names: string[]): Promise<KnownAgent[]> {
  const known = await knownAgents(store, names)
  return names.map((name) => known.get(name) ?? unknownAgent(name))
}

/** Finds one agent by name. @throws TroupeError not_found */
export async function findAgent(store: Store, name: string): Promise<KnownAgent> {
  const [found] = await findAgents(store, [name])
  return found ?? unknownAgent(name)
}

/**
 * Checks that prices are known, if a budget limits US dollars.
 * @throws TroupeError bad_request that names the first agent whose model has no price
 */
export function requirePrices(agents: KnownAgent[], ...budgets: (Budget | undefined)[]): void {
  if (budgets.every((budget) => budget?.usd === undefined)) return
  const found = agents.find(({ unpriced }) => unpriced !== undefined)
  if (found === undefined) return
  const sentence = `budget.usd cannot be enforced for agent "${found.name}": the price of ${found.unpriced} is unknown. Add it to PRICES_FILE, or limit tokens instead.`
  throw new TroupeError('bad_request', sentence)
}

/**
 * Rejects the name of an unregistered agent.
 * @throws TroupeError not_found
 */
export function unknownAgent(name: string): never {
  throw new TroupeError('not_found', `Agent "${name.slice(0, 100)}" is unknown; GET /api/agents lists the known ones.`)
}
