import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { count, timestamp } from './fields.ts'

const about = z
  .object({
    version: z.string(),
    now: timestamp.describe("The server's clock."),
    temporal: z.object({
      namespace: z.string(),
      workflow_id_prefix: z.string().describe('The workflow of an execution or batch has its id, with this before it.'),
      ui: z.string().nullable().describe("Address of Temporal's web UI; null when it is not configured."),
    }),
    tracing: z.enum(['database', 'external', 'disabled']),
    retention_days: z
      .object({ traces: z.number().nullable(), executions: z.number().nullable() })
      .describe('After how many days what has ended is deleted; null keeps it for ever.'),
    max_body_bytes: count,
    response_offload_bytes: count,
  })
  .meta({ id: 'About' })

export const getAbout = defineEndpoint({
  id: 'getAbout',
  method: 'get',
  path: '/api/about',
  tag: 'Health',
  summary: 'Tells what a tool for people needs to know of the service',
  answer: about,
})
