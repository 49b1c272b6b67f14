import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'

/** Health, version and components of the service. */
export const health = z
  .object({
    status: z.enum(['ok', 'degraded']).describe('`degraded` when a component is unreachable.'),
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
      .describe('The components that did not respond in time; present while the status is `degraded`.'),
  })
  .meta({ id: 'Health' })

export type Health = z.infer<typeof health>

export const getHealth = defineEndpoint({
  id: 'getHealth',
  method: 'get',
  path: '/api/health',
  tag: 'Health',
  summary: 'Gets the health, version and components of the service',
  response: health,
})
