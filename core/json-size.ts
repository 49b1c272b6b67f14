const [QUOTE, BACKSLASH, OBJECT, ARRAY] = Array.from('"\\{[', (character) => character.charCodeAt(0))

/**
 * Counts the objects and arrays of a JSON text without parsing it. They are what parsing costs: a hundred times as much a byte as
 * text does.
 * @param bytes - in UTF-8.
 */
export function countContainers(bytes: Buffer): number {
  let containers = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === OBJECT || byte === ARRAY) containers += 1
  }
  return containers
}

/** Where a string ends that begins at `opening`; behind the text when it does not end. */
function endOfString(bytes: Buffer, opening: number): number {
  for (let at = opening + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1
    else if (bytes[at] === QUOTE) return at
  }
  return bytes.length
}
