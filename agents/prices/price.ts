import type { Buckets } from '../../core/cost.ts'

/** Token counts as providers charge them. */
export interface ChargedTokens extends Buckets {
  /** The part of `cache_write` that the cache keeps for an hour. */
  cache_write_1h?: number | undefined
}

/** The price of a model. */
export interface Price {
  /** Source of the price, such as `PRICES_FILE` or `genai-prices 0.1.8`. */
  source: string
  /** The price is that of the standard tier, but the call uses another tier whose price is unknown. */
  isOfStandardTier?: true
  /** Calculates the cost of tokens that were used at a time. */
  charge: (tokens: ChargedTokens, at: Date) => Charge
}

export interface Charge {
  nanoUsd: number
  /** The applied rates, in US dollars per million tokens. */
  rates: Record<string, unknown>
}

/** The prices of a process. */
export interface Prices {
  /**
   * Finds the price of a model; undefined if it is unknown. A price is never guessed.
   * @param tier - service tier; undefined for the standard one.
   */
  find: (provider: string, model: string, tier?: string) => Promise<Price | undefined>
}
