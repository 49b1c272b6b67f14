import { calcPrice, type Usage } from '@pydantic/genai-prices'
import project from '../../package.json' with { type: 'json' }
import { toNanoUsd } from '../../core/cost.ts'
import type { Charge, ChargedTokens, Price } from './price.ts'

const SOURCE = `genai-prices ${project.dependencies['@pydantic/genai-prices']}`

/** Returns the published price of a model; undefined if it is unknown. This module takes 20 MB of memory. */
export function listPrice(provider: string, model: string): Price | undefined {
  if (calcPrice({ input_tokens: 1, output_tokens: 1 }, model, { providerId: provider }) === null) return undefined
  return { source: SOURCE, charge: (tokens, at) => charge(provider, model, tokens, at) }
}

function charge(provider: string, model: string, tokens: ChargedTokens, at: Date): Charge {
  const priced = calcPrice(toUsage(tokens), model, { providerId: provider, timestamp: at })
  const rates = Object.entries(priced?.model_price ?? {}).filter(([name]) => name.endsWith('_mtok'))
  return { nanoUsd: toNanoUsd(priced?.total_price ?? 0), rates: Object.fromEntries(rates) }
}

/** The package expects totals, beside the cached parts of the prompt. */
function toUsage({ input, cached, cache_write, cache_write_1h = 0, output, reasoning }: ChargedTokens): Usage {
  return {
    input_tokens: input + cached + cache_write,
    cache_read_tokens: cached,
    cache_write_tokens: cache_write,
    ...(cache_write_1h > 0 && { cache_write_1h_tokens: Math.min(cache_write_1h, cache_write) }),
    output_tokens: output + reasoning,
  }
}
