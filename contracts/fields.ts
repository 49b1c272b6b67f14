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
export const submittedBy = z.string().nullable().describe('Name of the API key that submitted it; null without keys.')

/** Of a submission: whether the run's calls may be answered from the cache. */
export function noCacheField(fallback = false) {
  return z
    .boolean()
    .default(fallback)
    .describe('True makes every call anew; the new answers replace those in the cache.')
}

/** Any JSON object, as an answer carries it. */
export const jsonObject = z
  .custom<Record<string, unknown>>(isObject, { error: 'must be an object' })
  .meta({ type: 'object' })

/**
 * A user's JSON object in a request. It is checked and then handed on as the same object: a schema that copied it would
 * lose keys such as `__proto__`.
 */
export const payload = z
  .custom<Record<string, unknown>>(isObject, { error: 'must be an object' })
  .refine((value) => !deeperThan(value), { error: `must not be nested deeper than ${MAX_DEPTH} levels` })
  .meta({ type: 'object' })

/** Where a large value lies in the object store. */
export const pointer = z.object({ bucket: z.string(), key: z.string(), size_bytes: count }).meta({ id: 'Pointer' })

/** A value that is an object, or stands for one. */
export const objectOrPointer = jsonObject.describe(
  'The object itself, or `{offloaded: true, pointer}` when it is large.',
)

const duration = { type: 'string', pattern: '^([0-9]{1,9}[smhd]){1,10}$', examples: ['1h'] }
const time = ['date-time', 'date'].map((format) => ({ type: 'string', format }))

/** How the document describes a moment: a duration that counts back from now, or an ISO 8601 time. */
export const momentSchema = { type: 'string', anyOf: [duration, ...time] } as const

interface NumberRule<Fallback> {
  minimum: number
  maximum: number
  /** What a missing one counts as. */
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

/** Names of fields in a query, separated by commas: an answer has only these. @param known - all that there are. */
export function fieldsQuery<Field extends string>(known: readonly Field[]) {
  return z
    .string()
    .optional()
    .transform((text, context): ReadonlySet<Field> | undefined => {
      if (text === undefined) return undefined
      const names = text.split(',').map((name) => name.trim())
      if (names.every((name): name is Field => (known as readonly string[]).includes(name))) return new Set(names)
      context.addIssue({ code: 'custom', message: `must be some of ${known.join(', ')}, separated by commas` })
      return z.NEVER
    })
    .meta({
      pattern: `^(${known.join('|')})(,(${known.join('|')}))*$`,
      description: 'Only these fields of the answer, separated by commas.',
    })
}

/** A text in a query that counts as missing when it is empty. */
export function filterQuery(description: string) {
  return z
    .string()
    .optional()
    .transform((text) => (text === '' ? undefined : text))
    .meta({ description })
}

/** The query of a list: how many items, and where to go on. @param more - what else this list takes. */
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
        description: `How many ${what} to give at most.`,
      }),
      offset: integerQuery({
        minimum: 0,
        maximum: MAX_OFFSET,
        fallback: undefined,
        description: `How many ${what} to skip.`,
      }),
      cursor: z.string().optional().meta({
        minLength: 1,
        description: '`next_cursor` of the page before, and nothing else; not together with `offset`.',
      }),
    })
    .refine((query) => !('cursor' in query && query.cursor !== undefined && query.offset !== undefined), {
      path: ['cursor'],
      error: 'must not be given together with offset',
    })
}

/** The end of every list's answer. */
export const nextCursor = z.string().nullable().describe('Give it as `cursor` to get the next page; null at the end.')
