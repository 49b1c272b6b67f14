import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { timestamp } from './fields.ts'

const streamTicket = z
  .object({
    ticket: z.string().describe('Pass this as `?ticket=` when opening a WebSocket.'),
    expires_at: timestamp,
  })
  .meta({ id: 'StreamTicket' })

export const createStreamTicket = defineEndpoint({
  id: 'createStreamTicket',
  method: 'post',
  role: 'read',
  path: '/api/stream-tickets',
  tag: 'Streams',
  summary: 'Creates a ticket that opens one WebSocket',
  description:
    'Browsers cannot set headers on a WebSocket. A ticket keeps the key out of URLs and logs. It opens one WebSocket within 30 seconds, with the permissions of the key of this request.',
  response: streamTicket,
})
