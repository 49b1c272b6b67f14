/**
 * Matches the start of numbers that a double may not represent: 16 characters of digits, or a three-digit exponent.
 * Matches inside strings are ignored later, and the lookbehind excludes most of them. The pattern is bounded, because
 * an unbounded one exhausts its stack on megabytes of digits.
 */
const LONG_NUMBER = /(?<![^\s,:[])-?\d(?:[\d.]{15}|[\d.]{0,14}[eE][+-]?\d{3})/g
const OF_A_NUMBER = new Set(Array.from('0123456789.eE+-', (character) => character.charCodeAt(0)))

// Node provides these functions; TypeScript's library does not declare them yet.
const { rawJSON, isRawJSON } = JSON as unknown as {
  /** Undefined in browsers before 2025, which therefore keep only doubles. */
  rawJSON: ((text: string) => unknown) | undefined
  isRawJSON: (value: unknown) => boolean
}

/**
 * Parses JSON so that every digit survives when the value is serialized again. Code sees doubles, as after
 * `JSON.parse`. An object or array with a number that exceeds a double serializes the original digits as long as the
 * number is unchanged. A copy of such an object has only the doubles.
 * @param mostLong - the highest number of values beyond a double's precision; each costs as much as twenty others.
 * @throws SyntaxError; RangeError if the text has more such numbers.
 */
export function parseJson(text: string, mostLong = Infinity): unknown {
  const value: unknown = JSON.parse(text)
  if (rawJSON === undefined || text.search(LONG_NUMBER) === -1) return value
  // A random prefix, so that no string in the text can contain it.
  const mark = Math.random().toString(36)
  const marked = markNumbers(text, mark, mostLong)
  return marked === undefined ? value : unmark(JSON.parse(marked), mark)
}

/** Whether a value is a raw JSON number, as a replacer of `JSON.stringify` receives it. */
export function isRawJson(value: unknown): boolean {
  return rawJSON !== undefined && isRawJSON(value)
}

/** The object or array to display; numbers beyond a double's precision are {@link isRawJson} values in it. */
export function asWritten(value: object): object {
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? (toJSON as () => object).call(value) : value
}

/**
 * The text with each number beyond a double's precision replaced by a string with the mark as prefix; undefined if
 * there is none.
 */
function markNumbers(text: string, mark: string, most: number): string | undefined {
  const pieces: string[] = []
  let copied = 0
  // `opening` is the next unprocessed quote; `end` is the end of the previous string or number.
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
/** Original digits of numbers, by key or index. */
type Texts = Map<string | number, string>

/** Restores the marked numbers. The traversal is iterative, so that a deeply nested body cannot exhaust the stack. */
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
  // A field named toJSON in user data is an ordinary value and must not be replaced.
  if (Object.hasOwn(container, 'toJSON')) return
  Object.defineProperty(container, 'toJSON', { value: () => withTexts(container, texts) })
}

function withTexts(container: Container, texts: Texts): unknown {
  const copy = (Array.isArray(container) ? [...(container as unknown[])] : { ...container }) as Container
  for (const [key, text] of texts) if (Object.is(container[key], Number(text))) copy[key] = rawJSON?.(text)
  return copy
}
