import { z } from 'zod'
import { isObject } from '../../core/json.ts'
import { PROVIDERS } from '../../core/model-name.ts'

/** How much a model thinks before it responds. Each provider maps the value to its own setting. */
const REASONING = ['provider-default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const

/** Valid keys of `providerOptions`: the providers, also in the form that their adapters use. */
const PROVIDER_KEYS = [...PROVIDERS, 'openaiCompatible']

const between = (min: number, max: number) => {
  const error = `must be a number from ${min} to ${max}`
  return z.number({ error }).min(min, { error }).max(max, { error })
}
const integer = (min: number, what: string) =>
  z.int({ error: `must be ${what}` }).min(min, { error: `must be ${what}` })

const providerOptions = z.custom<Record<string, Record<string, unknown>>>(
  (value) =>
    isObject(value) &&
    Object.entries(value).every(([provider, options]) => PROVIDER_KEYS.includes(provider) && isObject(options)) &&
    isJson(value),
  { error: `must be JSON objects under the names of providers (${PROVIDER_KEYS.join(', ')})` },
)

/** The `settings` of an agent's model. A provider ignores or refuses settings that it does not know. */
export const modelSettings = z.strictObject(
  {
    temperature: between(0, 2).optional(),
    topP: between(0, 1).optional(),
    maxOutputTokens: integer(1, 'a whole number of at least 1').optional(),
    reasoning: z.enum(REASONING, { error: `must be one of ${REASONING.join(', ')}` }).optional(),
    seed: integer(Number.MIN_SAFE_INTEGER, 'a whole number').optional(),
    stopSequences: z
      .array(z.string().min(1), { error: 'must be an array of texts' })
      .min(1, { error: 'must hold at least one text' })
      .optional(),
    providerOptions: providerOptions.optional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? undefined : 'must be an object, such as { temperature: 0.2 }',
  },
)

/** Settings of an agent's model; see {@link modelSettings}. */
export type ModelSettings = z.infer<typeof modelSettings>

/** Refuses values that JSON would drop, because providers receive JSON. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'object' && Object.values(value).every(isJson)
}
