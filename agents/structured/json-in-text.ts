import { deeperThan, isObject } from '../../core/json.ts'
import { parseJson } from '../../core/exact-json.ts'

/**
 * Returns the JSON objects that a text may contain, most likely first: the whole text, the content of code fences (last
 * one first, because it follows the explanation), and the text from the first brace to the last.
 */
export function objectsInText(text: string): Record<string, unknown>[] {
  const parts = text.split('```')
  // Every second part is between two fences, except an unclosed last part.
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
    // A value nested deeper than the limit cannot be serialised again.
    return deeperThan(value) ? undefined : value
  } catch {
    return undefined
  }
}
