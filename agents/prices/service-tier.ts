import { isObject } from '../../core/json.ts'
import type { ModelSettings } from '../models/model-settings.ts'
import type { Price } from './price.ts'

/** Providers' names of the tier that published prices apply to, and of the provider's own choice of a tier. */
const STANDARD = new Set(['auto', 'default', 'standard', 'standard_only', 'on_demand'])
/** Tiers that never cost more than the published price. */
const CHEAPER = new Set<string | undefined>(['flex', 'batch'])

/**
 * Returns the tier that a call is charged in; undefined for the tier of the published prices.
 * @param told - tier in the provider's response; without it, the settings decide.
 */
export function servedTier(
  provider: string,
  settings: Pick<ModelSettings, 'providerOptions'> | undefined,
  told?: string,
): string | undefined {
  const given = settings?.providerOptions?.[provider]
  const options = isObject(given) ? given : {}
  // Anthropic does not call these tiers, but they have their own prices.
  if (provider === 'anthropic' && options.speed === 'fast') return 'fast'
  if (provider === 'anthropic' && options.inferenceGeo === 'us') return 'us'
  const name = told ?? options.serviceTier
  const tier = typeof name === 'string' ? name.toLowerCase() : 'standard'
  if (STANDARD.has(tier)) return undefined
  return /^[a-z0-9_-]{1,40}$/.test(tier) ? tier : 'other'
}

/** Whether a price is at least the cost of a call in a tier, so that it can enforce a budget in dollars. */
export function holdsInTier(price: Price | undefined, tier: string | undefined): price is Price {
  return price !== undefined && (price.isOfStandardTier !== true || CHEAPER.has(tier))
}

/** The name of a model in PRICES_FILE, with its tier. */
export function nameInTier(name: string, tier: string | undefined): string {
  return tier === undefined ? name : `${name}@${tier}`
}
