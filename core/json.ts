import { isRawJson, parseJson } from './exact-json.ts'

/** Levels of nesting that an input may have. */
export const MAX_DEPTH = 64

/** Whether a value is nested deeper than `limit` levels; a scalar has depth 0, `{}` has depth 1. It looks no deeper than that. */
export function deeperThan(value: unknown, limit = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return items.some((item) => deeperThan(item, limit - 1))
}

/** Whether a value holds more than `limit` values, itself included. It looks no further than that. */
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

/** An agent's answer as an object: what is none becomes `{"result": answer}`. */
export function asObject(answer: unknown): Record<string, unknown> {
  // What turns itself into other JSON (a Date, say) is judged by that.
  const plain = isObject(answer) && typeof answer.toJSON === 'function' ? answer.toJSON() : answer
  return isObject(plain) ? plain : { result: plain ?? null }
}

/** Whether a value is a JSON object (neither null nor an array). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A value of an agent's code as the JSON that it stands for; what is left undefined becomes null.
 * @throws Error with a sentence when it stands for none: a function, a symbol, a circle …
 */
export function toJsonValue(value: unknown): unknown {
  if (value === undefined) return null
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) throw new Error(`A ${typeof value} was returned, which is no JSON.`)
  return parseJson(text)
}

/** JSON with the keys of every object in order: equal values make equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isObject(item) && !isRawJson(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}
