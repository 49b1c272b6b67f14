import { isRawJson, parseJson } from './exact-json.ts'

/** Maximum nesting depth of an input. */
export const MAX_DEPTH = 64

/**
 * Whether a value is nested deeper than `limit` levels. A scalar has depth 0, `{}` has depth 1. The traversal stops at
 * the limit.
 */
export function deeperThan(value: unknown, limit = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return items.some((item) => deeperThan(item, limit - 1))
}

/** Whether a value contains more than `limit` values, including itself. The traversal stops at the limit. */
export function holdsMoreThan(value: unknown, limit: number): boolean {
  let left = limit
  const isOver = (item: unknown): boolean => {
    left -= 1
    if (left < 0) return true
    if (typeof item !== 'object' || item === null) return false
    return (Array.isArray(item) ? (item as unknown[]) : Object.values(item)).some(isOver)
  }
  return isOver(value)
}

/** An agent's output as an object. A value that is not an object becomes `{"result": value}`. */
export function asObject(answer: unknown): Record<string, unknown> {
  // A value with toJSON, such as a Date, counts as the JSON that it produces.
  const plain = isObject(answer) && typeof answer.toJSON === 'function' ? answer.toJSON() : answer
  return isObject(plain) ? plain : { result: plain ?? null }
}

/** Whether a value is a JSON object (neither null nor an array). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Converts a value from an agent's code to JSON; undefined becomes null.
 * @throws Error with a sentence if the value has no JSON form, such as a function, a symbol or a cycle.
 */
export function toJsonValue(value: unknown): unknown {
  if (value === undefined) return null
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) throw new Error(`The returned ${typeof value} has no JSON form.`)
  return parseJson(text)
}

/** JSON with sorted object keys, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isObject(item) && !isRawJson(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}
