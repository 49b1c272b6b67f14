const CODES = Array.from('"\\:{[', (character) => character.charCodeAt(0))
const [QUOTE, BACKSLASH, COLON, OPEN_OBJECT, OPEN_ARRAY] = CODES

/** A shorter text takes no time worth to be spared. */
const MIN_BYTES = 1_000_000
/** Objects and arrays: a million take half a second to parse, in which nobody else is served. */
const MAX_CONTAINERS = 1_000_000
/** Names of fields, each counted once: half a million take about a second. */
const MAX_NAMES = 500_000
/** Names are told apart by a hash of so many bits: of half a million some ten thousand are taken for others. */
const NAME_BITS = 24

/**
 * What makes a JSON text take long to parse for its length, found without parsing it.
 * @param bytes - in UTF-8.
 * @returns the end of a sentence; undefined for one that may be parsed
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
      if (names > MAX_NAMES) return `holds more than ${MAX_NAMES} different names of fields`
      // A name has one colon; what has more is no JSON, and not worth another look at the name.
      nameFrom = nameTo
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      containers += 1
      if (containers > MAX_CONTAINERS) return `holds more than ${MAX_CONTAINERS} objects and arrays`
    }
  }
  return undefined
}

/** Where a string ends that begins at `opening`; behind the text when it does not end. */
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

/** Marks a bit. @returns 1 when nobody has marked it before */
function mark(seen: Uint8Array, at: number): 0 | 1 {
  const [byte, bit] = [at >>> 3, 1 << (at & 7)]
  const before = seen[byte] ?? 0
  seen[byte] = before | bit
  return (before & bit) === 0 ? 1 : 0
}
