const CODES = Array.from('"\\:{[}]', (character) => character.charCodeAt(0))
const [QUOTE, BACKSLASH, COLON, OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = CODES

/** Objects and arrays: a million take half a second to parse, in which nobody else is served. */
const MAX_CONTAINERS = 1_000_000
/** Of one object: names that nobody else has cost as much as objects. */
const MAX_KEYS = 200_000

/**
 * What makes a JSON text take long to parse for its length, found without parsing it.
 * @param bytes - in UTF-8.
 * @returns the end of a sentence; undefined for one that may be parsed
 */
export function tooHeavy(bytes: Buffer): string | undefined {
  let containers = 0
  /** Of each object that is open. */
  const keys = [0]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COLON) {
      const count = (keys.at(-1) ?? 0) + 1
      if (count > MAX_KEYS) return `has an object of more than ${MAX_KEYS} keys`
      keys[keys.length - 1] = count
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      containers += 1
      if (containers > MAX_CONTAINERS) return `holds more than ${MAX_CONTAINERS} objects and arrays`
      keys.push(0)
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) keys.pop()
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
