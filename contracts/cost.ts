import { z } from 'zod'
import { count } from './fields.ts'

const usd = z.number().min(0).nullable().describe('US dollars; null while no price is known.')
const complete = z
  .boolean()
  .describe('False when the cost of at least one call is unknown; `usd` is then the sum of the known costs.')

const modelCost = z
  .object({
    provider: z.string(),
    model: z.string(),
    usd,
    complete,
    estimated: z
      .boolean()
      .describe('True when the provider did not report the usage, so Troupe estimated token counts.'),
    input: count.describe('Prompt tokens that were not cached. The token counts do not overlap.'),
    cached: count.describe("Prompt tokens read from the provider's cache."),
    cache_write: count.describe("Prompt tokens written to the provider's cache."),
    output: count.describe('Generated tokens, without reasoning.'),
    reasoning: count,
  })
  .meta({ id: 'ModelCost' })

/** Cost of an execution or a batch. */
export const cost = z
  .object({ usd, complete, by_model: z.array(modelCost) })
  .meta({ id: 'Cost', description: 'Cost at the prices that applied when each call was made.' })
