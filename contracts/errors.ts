import { z } from 'zod'

/** The body of every answer that is not 200. */
export const errorBody = z
  .object({ detail: z.string().describe('One readable sentence.') })
  .meta({ id: 'Error', description: 'What went wrong.' })

/** What each status means, as the OpenAPI document and /docs say it. */
export const statusMeanings = {
  200: 'Success.',
  400: 'Bad request: the detail names the field.',
  401: 'Invalid or missing API key.',
  403: 'The key may not do this; or the request comes from a foreign page, or by a name that the service does not know.',
  404: 'Unknown resource, agent or path.',
  405: 'Wrong method; the Allow header names the right ones.',
  408: 'The request did not arrive in time.',
  409: 'The Idempotency-Key was used with another body, or what is to be deleted still runs.',
  413: 'The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have.',
  500: 'Internal server error; the log knows more under the X-Request-Id.',
  502: 'A fetch from the object store failed.',
  503: 'A server that the service needs cannot be reached; Retry-After says when to try again.',
} as const

/** A status that an endpoint can answer. */
export type Status = keyof typeof statusMeanings
