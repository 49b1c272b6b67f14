import { isObject } from '../../core/json.ts'

/**
 * Whether a provider's strict mode takes a schema: every object names all of its properties as required and allows no
 * other. A schema that does not is sent without strict mode, instead of being refused.
 * @param schema - or a part of one.
 */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema)
  if (!isObject(schema)) return true
  if (schema.type === 'object' || isObject(schema.properties)) {
    const names = Object.keys(isObject(schema.properties) ? schema.properties : {})
    const required = Array.isArray(schema.required) ? schema.required : []
    if (schema.additionalProperties !== false || !names.every((name) => required.includes(name))) return false
  }
  return Object.values(schema).every(isStrictSchema)
}
