import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { timestamp } from './fields.ts'

const streamTicket = z
  .object({
    ticket: z.string().describe('Give it as `?ticket=` when a WebSocket is opened.'),
    expires_at: timestamp,
  })
  .meta({ id: 'StreamTicket' })

export const createStreamTicket = defineEndpoint({
  id: 'createStreamTicket',
  method: 'post',
  role: 'read',
  path: '/api/stream-tickets',
  tag: 'Streams',
  summary: 'Gives a ticket that opens one WebSocket',
  description:
    'For browsers, which cannot set headers on a WebSocket: the key stays out of addresses, and with it out of logs. A ticket opens one WebSocket, within 30 seconds, with the rights of the key that asked for it.',
  answer: streamTicket,
})
