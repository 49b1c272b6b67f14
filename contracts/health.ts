import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'

/** Versions and components in use. */
export const health = z
  .object({
    status: z.enum(['ok', 'degraded']).describe('`degraded` when a component cannot be reached.'),
    version: z.string(),
    components: z.object({
      database: z.string(),
      storage: z.string(),
      message_bus: z.string(),
      tracing: z.object({ enabled: z.boolean(), backend: z.enum(['database', 'external', 'disabled']) }),
    }),
    unreachable: z
      .array(z.enum(['database', 'storage', 'message_bus']))
      .optional()
      .describe('The components that did not answer in time; only while the status is `degraded`.'),
  })
  .meta({ id: 'Health' })

export type Health = z.infer<typeof health>

export const getHealth = defineEndpoint({
  id: 'getHealth',
  method: 'get',
  path: '/api/health',
  tag: 'Health',
  summary: 'Says whether the service is well, and what it runs on',
  answer: health,
})
