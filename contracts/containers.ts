import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { booleanQuery, count, integerQuery, momentSchema } from './fields.ts'

const MAX_TAIL = 1_000_000

export const container = z
  .object({
    id: z.string(),
    name: z.string(),
    service_name: z.string(),
    project_name: z.string(),
    type: z.enum(['api', 'worker', 'infrastructure', 'other']),
    status: z.string(),
    image: z.string(),
    created: z.string(),
  })
  .meta({ id: 'Container' })

export const logEntry = z
  .object({
    timestamp: z.string().describe('ISO 8601 in UTC with nanoseconds; empty when the container engine gave none.'),
    message: z.string(),
  })
  .meta({ id: 'LogEntry' })

export const containerList = z.object({ containers: z.array(container), total: count })

export const containerLogs = z.object({
  container: z.string(),
  container_id: z.string(),
  status: z.string(),
  logs: z.array(logEntry),
  total: count,
})

export type Container = z.infer<typeof container>
/** One line of a container's log. The timestamp is ISO 8601 in UTC with nanoseconds, or "" when the engine gave none. */
export type LogEntry = z.infer<typeof logEntry>

/** Query of GET /api/logs/containers/{container_name}; `since` is checked further by api/containers/since.ts. */
export const logQuery = z.object({
  tail: integerQuery({
    minimum: 0,
    maximum: MAX_TAIL,
    fallback: 100,
    description: 'The number of last lines to return.',
  }),
  since: z
    .string()
    .optional()
    .meta({
      ...momentSchema,
      description: 'Only lines after this time: a duration before now such as 5m or 1h, or an ISO 8601 time.',
    }),
  timestamps: booleanQuery(true, 'False returns empty timestamps.'),
})

const tag = 'Container logs'

export const listContainers = defineEndpoint({
  id: 'listContainers',
  method: 'get',
  path: '/api/logs/containers',
  tag,
  summary: 'Lists all containers, including stopped ones',
  response: containerList,
})

export const getContainerLogs = defineEndpoint({
  id: 'getContainerLogs',
  method: 'get',
  path: '/api/logs/containers/{container_name}',
  tag,
  summary: 'Gets the log of a container',
  parameters: { container_name: 'Name, id, or the first characters of the id (at least 12).' },
  query: logQuery,
  // The engine determines how long a large log takes; the log reader has its own idle timeout.
  prompt: false,
  response: containerLogs,
  errors: [404],
})
