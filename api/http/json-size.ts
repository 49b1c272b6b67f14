const CODES = Array.from('"\\:{[', (character) => character.charCodeAt(0))
const [QUOTE, BACKSLASH, COLON, OPEN_OBJECT, OPEN_ARRAY] = CODES

/** Shorter texts are not checked, because they parse fast. */
const MIN_BYTES = 1_000_000
/** Maximum number of objects and arrays: a million take half a second to parse, which blocks all other requests. */
const MAX_CONTAINERS = 1_000_000
/** Maximum number of distinct field names: half a million take about a second. */
const MAX_NAMES = 500_000
/** Length of the hash that distinguishes names: among half a million, some ten thousand collide. */
const NAME_BITS = 24

/**
 * Finds out without parsing whether a JSON text takes unusually long to parse.
 * @param bytes - the text in UTF-8.
 * @returns the rest of a sentence that begins with "The body"; undefined for a text that may be parsed
 */
export function tooHeavy(bytes: Buffer): string | undefined {
  if (bytes.length < MIN_BYTES) return undefined
  const seen = new Uint8Array(2 ** (NAME_BITS - 3))
  let [containers, names, nameFrom, nameTo] = [0, 0, 0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      nameFrom = at
      at = endOfString(bytes, at)
      nameTo = at
    } else if (byte === COLON) {
      names += mark(seen, hash(bytes, nameFrom, nameTo))
      if (names > MAX_NAMES) return `contains more than ${MAX_NAMES} distinct field names`
      // Further colons after the same name are invalid JSON; they must not hash the name again.
      nameFrom = nameTo
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      containers += 1
      if (containers > MAX_CONTAINERS) return `contains more than ${MAX_CONTAINERS} objects and arrays`
    }
  }
  return undefined
}

/** Index of the closing quote of the string that starts at `opening`; the length of the text without one. */
function endOfString(bytes: Buffer, opening: number): number {
  for (let at = opening + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1
    else if (bytes[at] === QUOTE) return at
  }
  return bytes.length
}

/** FNV-1a. */
function hash(bytes: Buffer, from: number, to: number): number {
  let value = 0x811c9dc5
  for (let at = from; at < to; at += 1) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193)
  return value >>> (32 - NAME_BITS)
}

/** Sets a bit. @returns 1 when it was not set before */
function mark(seen: Uint8Array, at: number): 0 | 1 {
  const [byte, bit] = [at >>> 3, 1 << (at & 7)]
  const before = seen[byte] ?? 0
  seen[byte] = before | bit
  return (before & bit) === 0 ? 1 : 0
}
