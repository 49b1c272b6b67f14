import { isObject } from '../../core/json.ts'
import { parseJson } from '../../core/exact-json.ts'

/**
 * The JSON objects that a text may mean, best first: the whole text, what stands in code fences (the last one first: it
 * follows the explanation), and what stands between the first brace and the last.
 */
export function objectsInText(text: string): Record<string, unknown>[] {
  const fenced = [...text.matchAll(/```[a-z]*\s*\n?([^]*?)```/gi)].map(([, inside]) => inside ?? '').toReversed()
  const braced = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return [text, ...fenced, braced].map(parse).filter(isObject)
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
