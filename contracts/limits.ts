import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { count, timestamp } from './fields.ts'

const rate = z.number().nullable()
const byClass = z.object({ chat: count, prompt: count, task: count })

const account = z
  .object({
    account: z.string().describe('A provider, or provider/model.'),
    configured: z
      .object({ rpm: rate, tpm: rate, concurrent: rate })
      .nullable()
      .describe('What LIMITS allows it; null limits nothing.'),
    learned: z
      .object({ rpm: rate, tpm: rate })
      .describe("What the provider's headers say; null where they say nothing."),
    adaptive_concurrent: count
      .nullable()
      .describe('Calls at a time since the provider has pushed back; null once it serves as many as before.'),
    in_use: count.describe('Calls under way; counted where something is limited, and during a cool-down.'),
    waiting: byClass.describe(
      'Calls that wait for their turn, and executions that do so at Temporal because it takes long.',
    ),
    workers: count.describe('Workers that have a share.'),
    cooldown: z
      .object({ since: timestamp, until: timestamp, code: z.string() })
      .nullable()
      .describe('While it lasts no call is begun.'),
  })
  .meta({ id: 'Account' })

const limits = z.object({ accounts: z.array(account), timestamp }).meta({ id: 'Limits' })

export type Limits = z.infer<typeof limits>

export const getLimits = defineEndpoint({
  id: 'getLimits',
  method: 'get',
  path: '/api/limits',
  tag: 'Metrics',
  summary: "Gives the providers' accounts: limits, what is in use and waits, cool-downs",
  answer: limits,
})
