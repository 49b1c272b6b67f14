import { z } from 'zod'

/** The body of every error response. */
export const errorBody = z
  .object({ detail: z.string().describe('One sentence that explains the error.') })
  .meta({ id: 'Error', description: 'Description of an error.' })

/** Meaning of each status in the OpenAPI document and /docs. */
export const statusMeanings = {
  200: 'Success.',
  400: 'Bad request; the detail names the field.',
  401: 'Invalid or missing API key.',
  403: 'The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed.',
  404: 'Unknown resource, agent or path.',
  405: 'Method not allowed; the Allow header lists the allowed methods.',
  408: 'The request did not arrive in time.',
  409: 'The Idempotency-Key was used with a different body, or the execution or batch to delete is still running.',
  413: 'The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks.',
  500: 'Internal server error; search the log for the X-Request-Id.',
  502: 'Reading from or writing to the object store failed.',
  503: 'A required server is unavailable, or the service is overloaded; try again after the time in Retry-After.',
} as const

/** A status that an endpoint can return. */
export type Status = keyof typeof statusMeanings
