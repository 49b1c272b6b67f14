import type { Buckets } from '../../core/cost.ts'

/** Tokens as they are charged for. */
export interface ChargedTokens extends Buckets {
  /** Of `cache_write`, those that the cache keeps for an hour. */
  cache_write_1h?: number | undefined
}

/** What a model's tokens cost. */
export interface Price {
  /** Where the price is from, such as `PRICES_FILE` or `genai-prices 0.1.8`. */
  source: string
  /** The call is made in another tier, whose price nobody knows. */
  isOfStandardTier?: true
  /** What some tokens cost when they are used at a time. */
  charge: (tokens: ChargedTokens, at: Date) => Charge
}

export interface Charge {
  nanoUsd: number
  /** The rates that were applied, in US dollars for a million tokens. */
  rates: Record<string, unknown>
}

/** The prices of a process. */
export interface Prices {
  /**
   * The price of a model; undefined where nobody knows it. A price is never guessed.
   * @param tier - of service; undefined for the standard one.
   */
  find: (provider: string, model: string, tier?: string) => Promise<Price | undefined>
}
