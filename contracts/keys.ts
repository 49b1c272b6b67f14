import { z } from 'zod'
import { defineEndpoint, role } from './endpoint.ts'

const key = z.object({
  name: z.string().nullable().describe('Null where the service asks for no key.'),
  role,
  agents: z.array(z.string()).nullable().describe('The agents that it may submit to; null means all.'),
})

const keyList = z
  .object({
    own: key.describe('The key of this request.'),
    keys: z
      .array(key.extend({ name: z.string(), weight: z.number().describe('Its share of the workers beside others.') }))
      .nullable()
      .describe('All keys, without what they are; null for a key that is no admin.'),
  })
  .meta({ id: 'KeyList' })

export const listKeys = defineEndpoint({
  id: 'listKeys',
  method: 'get',
  path: '/api/keys',
  tag: 'Health',
  summary: 'Tells what the key of this request may do, and an admin which keys there are',
  answer: keyList,
})
