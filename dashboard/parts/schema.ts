/** The parts of a JSON Schema that a form and a description read; everything else is the service's business. */
export interface FieldSchema {
  type?: unknown
  enum?: unknown[]
  const?: unknown
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  items?: FieldSchema
  anyOf?: FieldSchema[]
}

/** A field of an object that a schema describes. */
export interface SchemaField {
  name: string
  isRequired: boolean
  schema: FieldSchema
}

type JsonSchema = Record<string, unknown>

/** The fields of an object's schema, in its order; those of a schema that names none are none. */
export function fieldsOfSchema({ properties, required }: JsonSchema): SchemaField[] {
  const names = Array.isArray(required) ? (required as unknown[]) : []
  return Object.entries((properties ?? {}) as Record<string, FieldSchema | boolean>).map(([name, schema]) => ({
    name,
    isRequired: names.includes(name),
    schema: typeof schema === 'object' ? schema : {},
  }))
}

/** What a value may be, in a few words: `text`, `number from 1 to 5`, `"en" or "de"`, `list of text`. */
export function wordsOf({ type, enum: choices, const: only, items, anyOf, ...limits }: FieldSchema): string {
  if (only !== undefined) return JSON.stringify(only)
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(' or ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(wordsOf))].join(' or ')
  if (type === 'array') return items === undefined ? 'list' : `list of ${wordsOf(items)}`
  if (Array.isArray(type)) return type.map((one: unknown) => wordsOf({ type: one })).join(' or ')
  const word = WORDS[String(type)] ?? 'anything'
  if (type === 'string') return word + range(limits.minLength, limits.maxLength, ' of', ' characters')
  return word + range(limits.minimum, limits.maximum, ' from', '')
}

const WORDS: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'nothing',
}

/** Limits that say something: every whole number of JavaScript's is one, and a text of one character is any. */
function range(least = -Infinity, most = Infinity, word: string, unit: string): string {
  const from = least > (unit === '' ? Number.MIN_SAFE_INTEGER : 1)
  const to = most < Number.MAX_SAFE_INTEGER
  if (from && to) return `${word} ${least} to ${most}${unit}`
  if (from) return ` of at least ${least}${unit}`
  return to ? ` of at most ${most}${unit}` : ''
}

const ARTICLES: Record<string, string> = { integer: 'a ', number: 'a ', array: 'a ', object: 'an ' }

/** What is wrong with a field's value, in words; undefined when nothing is that can be told here. */
export function problemOf({ schema, isRequired }: SchemaField, value: unknown): string | undefined {
  if (value === undefined) return isRequired ? 'is missing' : undefined
  const { enum: choices, minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity } = schema
  const expected = `must be ${ARTICLES[String(schema.type)] ?? ''}${wordsOf(schema)}`
  if (choices !== undefined) return choices.includes(value) ? undefined : expected
  if (typeof schema.type === 'string' && !isOfType(value, schema.type)) return expected
  if (typeof value === 'number' && (value < minimum || value > maximum)) return expected
  // Characters as the service counts them.
  const length = typeof value === 'string' ? [...value].length : undefined
  return length !== undefined && (length < minLength || length > maxLength) ? expected : undefined
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

/**
 * The fields that the service's sentence about inputs names, each with what it says.
 * @param detail - such as `inputs.stars must be integer; inputs must have required property 'city': the inputs do not match the schema of agent "…"; …`
 */
export function namedFields(detail: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const part of detail.split(': the inputs do not match ')[0]?.split('; ') ?? []) {
    const missing = /^inputs must have required property '(.+)'$/.exec(part)?.[1]
    const [, name, says] = /^inputs\.([^\s.:]+)(?:\.\S+)?:? (.+)$/.exec(part) ?? []
    if (missing !== undefined) found.set(missing, 'is missing')
    else if (name !== undefined && says !== undefined && !found.has(name)) found.set(name, says)
  }
  return found
}

/** Inputs to begin with: the defaults. */
export function defaultsOf(schema: JsonSchema): Record<string, unknown> {
  const given = fieldsOfSchema(schema).filter((field) => field.schema.default !== undefined)
  return Object.fromEntries(given.map(({ name, schema: { default: value } }) => [name, value]))
}
