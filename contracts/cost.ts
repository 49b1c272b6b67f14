import { z } from 'zod'
import { count } from './fields.ts'

const usd = z.number().min(0).nullable().describe('US dollars; null while no price of it is known.')
const complete = z
  .boolean()
  .describe('False when the cost of a call is not known: then `usd` is the sum of the others.')

const modelCost = z
  .object({
    provider: z.string(),
    model: z.string(),
    usd,
    complete,
    estimated: z.boolean().describe('Whether we had to count tokens that the provider did not tell.'),
    input: count.describe('Tokens of prompts that no cache had. The parts exclude each other.'),
    cached: count.describe("Read from the provider's cache."),
    cache_write: count.describe("Written to the provider's cache."),
    output: count.describe('Generated, without reasoning.'),
    reasoning: count,
  })
  .meta({ id: 'ModelCost' })

/** What an execution or a batch cost. */
export const cost = z
  .object({ usd, complete, by_model: z.array(modelCost) })
  .meta({ id: 'Cost', description: 'What it cost, at the prices that held when each call was made.' })
