import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { count, filterQuery } from './fields.ts'

const cacheCleared = z
  .object({
    ok: z.boolean(),
    deleted: z.object({ answers: count, objects: count.describe('Objects deleted from the object store.') }),
  })
  .meta({ id: 'CacheCleared' })

export const clearCache = defineEndpoint({
  id: 'clearCache',
  method: 'delete',
  role: 'admin',
  path: '/api/cache',
  tag: 'Agents',
  summary: 'Clears the cache of model and tool results',
  description: 'The results of calls that are in progress are still cached when they complete.',
  query: z.object({ agent: filterQuery('Only results of calls by this agent.') }),
  response: cacheCleared,
  prompt: false,
  errors: [502],
})
