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
  .object({ timestamp: z.string().describe('With nanoseconds.'), message: z.string() })
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
/** One line of a container's log; its stamp is ISO 8601 in UTC with nine digits of a second, "" where the engine gave none. */
export type LogEntry = z.infer<typeof logEntry>

/** Query of GET /api/logs/containers/{container_name}; `since` is checked further by api/containers/since.ts. */
export const logQuery = z.object({
  tail: integerQuery({
    minimum: 0,
    maximum: MAX_TAIL,
    fallback: 100,
    description: 'How many of the last lines to give.',
  }),
  since: z
    .string()
    .optional()
    .meta({ ...momentSchema, description: 'Only lines after it: a duration such as 5m or 1h, or an ISO 8601 time.' }),
  timestamps: booleanQuery(true, 'False leaves every timestamp empty.'),
})

const tag = 'Container logs'

export const listContainers = defineEndpoint({
  id: 'listContainers',
  method: 'get',
  path: '/api/logs/containers',
  tag,
  summary: 'Lists all containers, stopped ones included',
  answer: containerList,
})

export const getContainerLogs = defineEndpoint({
  id: 'getContainerLogs',
  method: 'get',
  path: '/api/logs/containers/{container_name}',
  tag,
  summary: "Gives a container's log",
  parameters: { container_name: 'Name or id, or a prefix of the id of at least 12 characters.' },
  query: logQuery,
  // A long log takes as long as the engine needs, which is watched on its own.
  prompt: false,
  answer: containerLogs,
  errors: [404],
})
