import { deeperThan, isObject } from '../../core/json.ts'
import { parseJson } from '../../core/exact-json.ts'

/**
 * The JSON objects that a text may mean, best first: the whole text, what stands in code fences (the last one first: it
 * follows the explanation), and what stands between the first brace and the last.
 */
export function objectsInText(text: string): Record<string, unknown>[] {
  const parts = text.split('```')
  // Every second part stands between two fences; the last part has none after it.
  const fenced = parts.filter((_, index) => index % 2 === 1 && index < parts.length - 1).toReversed()
  const braced = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return [text, ...fenced.map(withoutLanguage), braced].map(parse).filter(isObject)
}

function withoutLanguage(fenced: string): string {
  return fenced.replace(/^[a-z]+/i, '')
}

function parse(text: string): unknown {
  try {
    const value = parseJson(text)
    // What is nested deeper than any input may be cannot be written down again.
    return deeperThan(value) ? undefined : value
  } catch {
    return undefined
  }
}
