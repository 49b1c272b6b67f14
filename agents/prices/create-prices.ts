import { readFileSync } from 'node:fs'
import { messageOf } from '../../core/errors.ts'
import type { Price, Prices } from './price.ts'
import { readPrices } from './prices-file.ts'
import { nameInTier } from './service-tier.ts'

/** Providers whose price lists are published. What runs on one's own machines has the price that PRICES_FILE gives it. */
const LISTED = new Set(['openai', 'anthropic', 'google', 'groq'])

/** A script calls nobody, so there is nobody to pay. */
const SCRIPTED: Price = { source: 'scripted', charge: () => ({ nanoUsd: 0, rates: {} }) }

/**
 * The prices of a worker: those of PRICES_FILE, else the published ones; scripts cost nothing.
 * @param file - path of PRICES_FILE; read once.
 * @throws Error with a sentence when the file cannot be read.
 */
export function createPrices(file: string | undefined): Prices {
  const own = file === undefined ? () => undefined : readFile(file)
  const listed = new Map<string, Promise<Price | undefined>>()
  const lookUp = async (provider: string, model: string): Promise<Price | undefined> => {
    // Loaded by the first model that may be on it: a worker of scripts and local models keeps that memory free.
    const { listPrice } = await import('./list-prices.ts')
    return listPrice(provider, model)
  }
  return {
    async find(provider, model, tier) {
      // The operator's word holds in every tier that it does not name.
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
