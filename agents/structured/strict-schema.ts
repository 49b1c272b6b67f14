import { isObject } from '../../core/json.ts'

/** Keywords that every strict mode supports. */
const EVERYWHERE = ['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf']
const BESIDE = ['title', 'description', '$defs']
/** Keywords that the strict modes of OpenAI and compatible providers support, but not that of Anthropic. */
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems']
const OF_ANTHROPIC = new Set([...EVERYWHERE, ...BESIDE])
const OF_OTHERS = new Set([...OF_ANTHROPIC, ...BOUNDS, '$ref', 'pattern', 'format'])

const FORMATS = new Set<unknown>(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])
const LOOKS_AROUND = /\(\?<?[=!]/
const MAX_LEVELS = 10

/**
 * Whether a provider's strict mode supports a schema: every object names all of its properties as required and allows no
 * other, and the schema has no unsupported keyword. A schema that is not supported is sent without strict mode, because
 * the provider would reject it.
 * @param schema - or a part of one.
 * @param wire - the provider's protocol.
 * @param level - the nesting level of the part.
 */
export function isStrictSchema(schema: unknown, wire?: string, level = 0): boolean {
  if (!isObject(schema) || level > MAX_LEVELS) return false
  const { type, properties, items, anyOf, $defs, $ref, format, pattern } = schema
  const known = wire === 'anthropic' ? OF_ANTHROPIC : OF_OTHERS
  if (!Object.keys(schema).every((keyword) => known.has(keyword))) return false
  if ($ref !== undefined) return Object.keys(schema).length === 1
  if (type === undefined && anyOf === undefined) return false
  if (format !== undefined && !FORMATS.has(format)) return false
  if (pattern !== undefined && LOOKS_AROUND.test(String(pattern))) return false
  if ((type === 'object' || properties !== undefined) && !isClosed(schema)) return false
  const within = [
    ...valuesOf(properties),
    ...(Array.isArray(anyOf) ? anyOf : []),
    ...(items === undefined ? [] : [items]),
  ]
  const isStrict = (at: number) => (part: unknown) => isStrictSchema(part, wire, at)
  // The nesting level of a definition depends on its references; they are not followed.
  return within.every(isStrict(level + 1)) && valuesOf($defs).every(isStrict(0))
}

function isClosed({ properties, required, additionalProperties }: Record<string, unknown>): boolean {
  const needed = new Set<unknown>(Array.isArray(required) ? required : [])
  return (
    additionalProperties === false &&
    Object.keys(isObject(properties) ? properties : {}).every((name) => needed.has(name))
  )
}

function valuesOf(value: unknown): unknown[] {
  return isObject(value) ? Object.values(value) : []
}
