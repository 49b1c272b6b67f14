import { z } from 'zod'
import { defineEndpoint, role } from './endpoint.ts'

const key = z.object({
  name: z.string().nullable().describe('Null when the service has no keys.'),
  role,
  agents: z.array(z.string()).nullable().describe('The agents that the key may submit to; null means all.'),
})

const keyList = z
  .object({
    own: key.describe('The key of this request.'),
    keys: z
      .array(key.extend({ name: z.string(), weight: z.number().describe('Relative share of the worker capacity.') }))
      .nullable()
      .describe('All keys, without their secret values; null unless the key of this request has the role `admin`.'),
  })
  .meta({ id: 'KeyList' })

export const listKeys = defineEndpoint({
  id: 'listKeys',
  method: 'get',
  path: '/api/keys',
  tag: 'Health',
  summary: 'Gets the permissions of the key of this request; for admins, also lists all keys',
  response: keyList,
})
