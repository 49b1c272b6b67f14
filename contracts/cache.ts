import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { count, filterQuery } from './fields.ts'

const cacheCleared = z
  .object({ ok: z.boolean(), deleted: z.object({ answers: count, objects: count.describe('In the object store.') }) })
  .meta({ id: 'CacheCleared' })

export const clearCache = defineEndpoint({
  id: 'clearCache',
  method: 'delete',
  role: 'admin',
  path: '/api/cache',
  tag: 'Agents',
  summary: 'Forgets the kept answers of models and tools',
  description: 'Calls that are under way keep their answers all the same.',
  query: z.object({ agent: filterQuery('Only answers to calls of this agent.') }),
  answer: cacheCleared,
  prompt: false,
  errors: [502],
})
