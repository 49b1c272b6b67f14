import { isObject } from '../../core/json.ts'
import type { JsonSchema } from '../definition.ts'

/**
 * Whether a provider's strict mode takes a schema: every object names all of its properties as required and allows no
 * other. A schema that does not is sent without strict mode, instead of being refused.
 */
export function isStrictSchema(schema: JsonSchema): boolean {
  return fits(schema)
}

function fits(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(fits)
  if (!isObject(value)) return true
  if (value.type === 'object' || isObject(value.properties)) {
    const names = Object.keys(isObject(value.properties) ? value.properties : {})
    const required = Array.isArray(value.required) ? value.required : []
    if (value.additionalProperties !== false || !names.every((name) => required.includes(name))) return false
  }
  return Object.values(value).every(fits)
}
