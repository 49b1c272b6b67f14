import { isObject } from '../../core/json.ts'
import type { ModelSettings } from '../models/model-settings.ts'
import type { Price } from './price.ts'

/** What providers call the tier that published prices are for, and a choice that is left to them. */
const STANDARD = new Set(['auto', 'default', 'standard', 'standard_only', 'on_demand'])
/** Those that nobody sells for more than the published price. */
const CHEAPER = new Set<string | undefined>(['flex', 'batch'])

/**
 * The tier that a call is charged in; undefined for the one that published prices are for.
 * @param told - what the provider says of it; else what the settings ask for counts.
 */
export function servedTier(
  provider: string,
  settings: Pick<ModelSettings, 'providerOptions'> | undefined,
  told?: string,
): string | undefined {
  const given = settings?.providerOptions?.[provider]
  const options = isObject(given) ? given : {}
  // No tiers of Anthropic's, but prices of their own.
  if (provider === 'anthropic' && options.speed === 'fast') return 'fast'
  if (provider === 'anthropic' && options.inferenceGeo === 'us') return 'us'
  const name = told ?? options.serviceTier
  const tier = typeof name === 'string' ? name.toLowerCase() : 'standard'
  if (STANDARD.has(tier)) return undefined
  return /^[a-z0-9_-]{1,40}$/.test(tier) ? tier : 'other'
}

/** Whether a price is not below what a call in a tier costs, so that a budget in dollars holds by it. */
export function holdsInTier(price: Price | undefined, tier: string | undefined): price is Price {
  return price !== undefined && (price.isOfStandardTier !== true || CHEAPER.has(tier))
}

/** A model's name as PRICES_FILE has it in a tier. */
export function nameInTier(name: string, tier: string | undefined): string {
  return tier === undefined ? name : `${name}@${tier}`
}
