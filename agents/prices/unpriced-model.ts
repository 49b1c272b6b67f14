import type { AgentDefinition } from '../definition.ts'
import { parseModelName } from '../../core/model-name.ts'
import type { Prices } from './price.ts'
import { holdsInTier, nameInTier, servedTier } from './service-tier.ts'

/** Returns the first model of an agent whose price is unknown; undefined if there is none, or for plain code. */
export async function unpricedModel({ model, settings }: AgentDefinition, prices: Prices): Promise<string | undefined> {
  for (const name of model === undefined ? [] : [model].flat()) {
    const parsed = parseModelName(name) ?? { provider: name, model: name }
    const tier = servedTier(parsed.provider, settings)
    const price = await prices.find(parsed.provider, parsed.model, tier)
    if (!holdsInTier(price, tier)) return nameInTier(name, price && tier)
  }
  return undefined
}
