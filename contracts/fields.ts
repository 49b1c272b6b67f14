import { z } from 'zod'
import { MAX_DEPTH, deeperThan, isObject } from '../core/json.ts'

const MAX_LIMIT = 1_000
const MAX_OFFSET = 1_000_000_000

/** An ISO 8601 time in UTC with milliseconds. */
export const timestamp = z.iso
  .datetime()
  .meta({ format: 'date-time', pattern: undefined, examples: ['2026-01-31T09:30:00.000Z'] })

/** A count. */
export const count = z.int().min(0)

/** Name of the key that submitted something. */
export const submittedBy = z
  .string()
  .nullable()
  .describe('Name of the API key of the submission; null when the service has no keys.')

/** Field of a submission: whether calls of the run bypass the cache. */
export function noCacheField(fallback = false) {
  return z
    .boolean()
    .default(fallback)
    .describe('True bypasses the cache: all calls are made again, and their results replace the cached ones.')
}

/** Any JSON object of a response. */
export const jsonObject = z
  .custom<Record<string, unknown>>(isObject, { error: 'must be an object' })
  .meta({ type: 'object' })

/**
 * A JSON object of a request, checked but not copied: a copying schema would lose keys such as `__proto__`.
 */
export const payload = z
  .custom<Record<string, unknown>>(isObject, { error: 'must be an object' })
  .refine((value) => !deeperThan(value), { error: `must not be nested deeper than ${MAX_DEPTH} levels` })
  .meta({ type: 'object' })

/** Location of a large value in the object store. */
export const pointer = z.object({ bucket: z.string(), key: z.string(), size_bytes: count }).meta({ id: 'Pointer' })

/** An object or a reference to an object. */
export const objectOrPointer = jsonObject.describe('The object, or `{offloaded: true, pointer}` for a large object.')

const duration = { type: 'string', pattern: '^([0-9]{1,9}[smhd]){1,10}$', examples: ['1h'] }
const time = ['date-time', 'date'].map((format) => ({ type: 'string', format }))

/** JSON Schema of a time: a duration before now, or an ISO 8601 time. */
export const momentSchema = { type: 'string', anyOf: [duration, ...time] } as const

interface NumberRule<Fallback> {
  minimum: number
  maximum: number
  /** The default. */
  fallback: Fallback
  description: string
}

/** A whole number in a query. */
export function integerQuery<Fallback extends number | undefined>(rule: NumberRule<Fallback>) {
  const { minimum, maximum, fallback, description } = rule
  return z
    .string()
    .optional()
    .transform((text, context): number | Fallback => {
      if (text === undefined) return fallback
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      if (value >= minimum && value <= maximum) return value
      context.addIssue({ code: 'custom', message: `must be a whole number from ${minimum} to ${maximum}` })
      return z.NEVER
    })
    .meta({ type: 'integer', minimum, maximum, default: fallback, description })
}

/** A boolean in a query: true, false, 1 or 0 in any case. */
export function booleanQuery(fallback: boolean, description: string) {
  return z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined) return fallback
      const value = text.toLowerCase()
      if (value === 'true' || value === '1') return true
      if (value === 'false' || value === '0') return false
      context.addIssue({ code: 'custom', message: 'must be true or false' })
      return z.NEVER
    })
    .meta({ type: 'boolean', default: fallback, description })
}

/** A comma-separated list of field names in a query; the response contains only these. @param known - all field names. */
export function fieldsQuery<Field extends string>(known: readonly Field[]) {
  return z
    .string()
    .optional()
    .transform((text, context): ReadonlySet<Field> | undefined => {
      if (text === undefined) return undefined
      const names = text.split(',').map((name) => name.trim())
      if (names.every((name): name is Field => (known as readonly string[]).includes(name))) return new Set(names)
      context.addIssue({ code: 'custom', message: `must be a comma-separated list of: ${known.join(', ')}` })
      return z.NEVER
    })
    .meta({
      pattern: `^(${known.join('|')})(,(${known.join('|')}))*$`,
      description: 'The fields to return, separated by commas.',
    })
}

/** A string in a query; an empty one counts as missing. */
export function filterQuery(description: string) {
  return z
    .string()
    .optional()
    .transform((text) => (text === '' ? undefined : text))
    .meta({ description })
}

/** The query of a list with its paging parameters. @param more - further parameters of this list. */
export function listQuery<More extends z.ZodRawShape = Record<never, never>>(
  fallback: number,
  what: string,
  more: More = {} as More,
) {
  return z
    .object({
      ...more,
      limit: integerQuery({
        minimum: 1,
        maximum: MAX_LIMIT,
        fallback,
        description: `Maximum number of ${what} to return.`,
      }),
      offset: integerQuery({
        minimum: 0,
        maximum: MAX_OFFSET,
        fallback: undefined,
        description: `Number of ${what} to skip.`,
      }),
      cursor: z.string().optional().meta({
        minLength: 1,
        description: 'The `next_cursor` of the previous page. Cannot be combined with `offset`.',
      }),
    })
    .refine((query) => !('cursor' in query && query.cursor !== undefined && query.offset !== undefined), {
      path: ['cursor'],
      error: 'must not be given together with offset',
    })
}

/** Field of every list response. */
export const nextCursor = z
  .string()
  .nullable()
  .describe('Pass this as `cursor` to get the next page; null on the last page.')
