import { deeperThan, isObject } from '../../core/json.ts'
import { parseJson } from '../../core/exact-json.ts'

/**
 * The arguments that a model wrote for a call.
 * @returns undefined when they are no JSON object, or one that is nested deeper than can be written down; nothing at all counts as `{}`.
 */
export function toolArguments(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = parseJson(text)
    return isObject(value) && !deeperThan(value) ? value : undefined
  } catch {
    return undefined
  }
}
