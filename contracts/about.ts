import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { count, timestamp } from './fields.ts'

const about = z
  .object({
    version: z.string(),
    now: timestamp.describe("The server's clock."),
    temporal: z.object({
      namespace: z.string(),
      workflow_id_prefix: z
        .string()
        .describe('The workflow id of an execution or batch is this prefix followed by its id.'),
      ui: z.string().nullable().describe("URL of Temporal's web UI; null when it is not configured."),
    }),
    tracing: z.enum(['database', 'external', 'disabled']),
    retention_days: z
      .object({ traces: z.number().nullable(), executions: z.number().nullable() })
      .describe('Days after their end at which traces and executions are deleted; null keeps them for ever.'),
    max_body_bytes: count,
    response_offload_bytes: count,
  })
  .meta({ id: 'About' })

export const getAbout = defineEndpoint({
  id: 'getAbout',
  method: 'get',
  path: '/api/about',
  tag: 'Health',
  summary: 'Gets the settings of the service that user interfaces need',
  response: about,
})
