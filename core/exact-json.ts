/**
 * Where numbers begin that a double may not hold: 16 characters of digits, or an exponent of three digits. Inside of strings it
 * means nothing, and the character before a number keeps most of them out. Short, because a pattern that runs through megabytes of
 * digits exhausts its stack.
 */
const LONG_NUMBER = /(?<![^\s,:[])-?\d(?:[\d.]{15}|[\d.]{0,14}[eE][+-]?\d{3})/g
const OF_A_NUMBER = new Set(Array.from('0123456789.eE+-', (character) => character.charCodeAt(0)))

// Node has it, TypeScript's library does not yet.
const { rawJSON, isRawJSON } = JSON as unknown as {
  /** Undefined in browsers of before 2025: there the doubles are all there is. */
  rawJSON: ((text: string) => unknown) | undefined
  isRawJSON: (value: unknown) => boolean
}

/**
 * Parses JSON so that it can be written again with every digit. Code sees doubles, as after `JSON.parse`; an object or array
 * whose numbers have more digits than a double turns to JSON with those that were written, as long as the number is unchanged.
 * A copy of it has the doubles alone.
 * @param mostLong - how many numbers may have more digits than a double: each costs as much as twenty others.
 * @throws SyntaxError; RangeError when there are more of them
 */
export function parseJson(text: string, mostLong = Infinity): unknown {
  const value: unknown = JSON.parse(text)
  if (rawJSON === undefined || text.search(LONG_NUMBER) === -1) return value
  // A prefix that no string of the text has: nobody knows it beforehand.
  const mark = Math.random().toString(36)
  const marked = markNumbers(text, mark, mostLong)
  return marked === undefined ? value : unmark(JSON.parse(marked), mark)
}

/** Whether a value is a number in its own words, as `JSON.stringify` meets it in a replacer. */
export function isRawJson(value: unknown): boolean {
  return rawJSON !== undefined && isRawJSON(value)
}

/** The object or array whose items are to be shown: {@link isRawJson} those whose digits a double does not hold. */
export function asWritten(value: object): object {
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? (toJSON as () => object).call(value) : value
}

/** The text with every number that would change as a string behind the mark; undefined when there is none. */
function markNumbers(text: string, mark: string, most: number): string | undefined {
  const pieces: string[] = []
  let copied = 0
  // The first quote that was not passed, and where the string or number before it ends.
  let [opening, end] = [text.indexOf('"'), 0]
  for (const { index } of text.matchAll(LONG_NUMBER)) {
    for (; opening !== -1 && opening < index; opening = text.indexOf('"', end)) end = endOfString(text, opening)
    if (index < end) continue
    end = endOfNumber(text, index)
    const token = text.slice(index, end)
    if (String(Number(token)) === token) continue
    if (pieces.length / 2 >= most)
      throw new RangeError(`There are more than ${most} numbers that a double does not hold.`)
    pieces.push(text.slice(copied, index), `"${mark}${token}"`)
    copied = end
  }
  return pieces.length === 0 ? undefined : pieces.join('') + text.slice(copied)
}

function endOfNumber(text: string, from: number): number {
  let end = from
  while (OF_A_NUMBER.has(text.charCodeAt(end))) end += 1
  return end
}

function endOfString(text: string, opening: number): number {
  let close = text.indexOf('"', opening + 1)
  while (isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close + 1
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

type Container = Record<string | number, unknown>
/** What was written for a number, by key or index. */
type Texts = Map<string | number, string>

/** Puts the numbers back. Iterative, so that a hostile body cannot exhaust the stack. */
function unmark(value: unknown, mark: string): unknown {
  const root = { value }
  const open: object[] = [root]
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const texts: Texts = new Map()
    const visit = (item: unknown, key: string | number): void => {
      if (typeof item === 'object' && item !== null) open.push(item)
      else if (typeof item === 'string' && item.startsWith(mark)) texts.set(key, item.slice(mark.length))
    }
    if (Array.isArray(container)) container.forEach(visit)
    else for (const [key, item] of Object.entries(container)) visit(item, key)
    if (texts.size > 0) keepDigits(container as Container, texts)
  }
  return root.value
}

function keepDigits(container: Container, texts: Texts): void {
  for (const [key, text] of texts) container[key] = Number(text)
  // A user's own field of this name is a value like any other.
  if (Object.hasOwn(container, 'toJSON')) return
  Object.defineProperty(container, 'toJSON', { value: () => withTexts(container, texts) })
}

function withTexts(container: Container, texts: Texts): unknown {
  const copy = (Array.isArray(container) ? [...(container as unknown[])] : { ...container }) as Container
  for (const [key, text] of texts) if (Object.is(container[key], Number(text))) copy[key] = rawJSON?.(text)
  return copy
}
