import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { count, timestamp } from './fields.ts'

const rate = z.number().nullable()
const byClass = z.object({ chat: count, prompt: count, task: count })

const account = z
  .object({
    account: z.string().describe('A provider, or `provider/model`.'),
    configured: z
      .object({ rpm: rate, tpm: rate, concurrent: rate })
      .nullable()
      .describe('The limits of the setting LIMITS; null means no limit.'),
    learned: z
      .object({ rpm: rate, tpm: rate })
      .describe("The limits from the provider's response headers; null when unknown."),
    adaptive_concurrent: count
      .nullable()
      .describe(
        'Reduced limit of concurrent calls after rejections by the provider; null once the provider accepts full concurrency again.',
      ),
    in_use: count.describe('Calls in progress; counted for limited accounts and during a cool-down.'),
    waiting: byClass.describe(
      'Calls that wait for capacity in a worker, and executions that wait durably in Temporal because the wait is long.',
    ),
    workers: count.describe('The number of workers that share the limits.'),
    cooldown: z
      .object({ since: timestamp, until: timestamp, code: z.string() })
      .nullable()
      .describe('No calls start during the cool-down; null without one.'),
  })
  .meta({ id: 'Account' })

const limits = z.object({ accounts: z.array(account), timestamp }).meta({ id: 'Limits' })

export type Limits = z.infer<typeof limits>

export const getLimits = defineEndpoint({
  id: 'getLimits',
  method: 'get',
  path: '/api/limits',
  tag: 'Metrics',
  summary: 'Gets the limits, usage, waiting calls and cool-downs of provider accounts',
  response: limits,
})
