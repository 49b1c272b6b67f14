import { z } from 'zod'
import { count } from './fields.ts'

/** Tokens spent on one model. */
export const modelUsage = z
  .object({
    provider: z.string(),
    model: z.string(),
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    calls: count.describe('Number of model calls.'),
  })
  .meta({ id: 'ModelUsage' })

/** Tokens spent by one execution. */
export const tokenUsage = z
  .object({
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    by_model: z.array(modelUsage),
  })
  .meta({ id: 'TokenUsage' })
