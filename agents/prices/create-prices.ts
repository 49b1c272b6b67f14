import { readFileSync } from 'node:fs'
import { messageOf } from '../../core/errors.ts'
import type { Price, Prices } from './price.ts'
import { readPrices } from './prices-file.ts'
import { nameInTier } from './service-tier.ts'

/** Providers with published price lists. Models on the user's own machines get their price from PRICES_FILE. */
const LISTED = new Set(['openai', 'anthropic', 'google', 'groq'])

/** A script calls no provider, so it costs nothing. */
const SCRIPTED: Price = { source: 'scripted', charge: () => ({ nanoUsd: 0, rates: {} }) }

/**
 * Creates the prices of a worker: those of PRICES_FILE, otherwise the published ones. Scripts are free unless the file
 * gives them a price.
 * @param file - path of PRICES_FILE; read once.
 * @throws Error with a sentence if the file cannot be used.
 */
export function createPrices(file: string | undefined): Prices {
  const own = file === undefined ? () => undefined : readFile(file)
  const listed = new Map<string, Promise<Price | undefined>>()
  const lookUp = async (provider: string, model: string): Promise<Price | undefined> => {
    // The first model that may be listed loads the module, which saves its memory in workers of scripts and local
    // models.
    const { listPrice } = await import('./list-prices.ts')
    return listPrice(provider, model)
  }
  return {
    async find(provider, model, tier) {
      // The operator's price applies to every tier that the file does not name.
      const found = (tier && own(provider, nameInTier(model, tier))) || own(provider, model)
      if (found === undefined && provider === 'scripted') return SCRIPTED
      if (found !== undefined || !LISTED.has(provider)) return found
      const name = `${provider}/${model}`
      const known = listed.get(name) ?? lookUp(provider, model)
      listed.set(name, known)
      const price = await known
      return price && tier !== undefined ? { ...price, isOfStandardTier: true } : price
    },
  }
}

function readFile(file: string): ReturnType<typeof readPrices> {
  try {
    return readPrices(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`PRICES_FILE ${file} cannot be used: ${messageOf(error)}`, { cause: error })
  }
}
