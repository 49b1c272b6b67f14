import { deeperThan, isObject } from '../../core/json.ts'
import { parseJson } from '../../core/exact-json.ts'

/**
 * Parses the arguments that a model wrote for a call. An empty text counts as `{}`.
 * @returns undefined if the text is not a JSON object, or one nested too deeply to be serialised again.
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
