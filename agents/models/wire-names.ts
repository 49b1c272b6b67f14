/** Tool names as providers accept them, and back: agents' names may hold dots or be too long. */
export interface WireNames {
  toWire: (name: string) => string
  fromWire: (wireName: string) => string
}

const MAX_LENGTH = 64

/**
 * Gives every name a form that all providers accept: at most 64 letters, digits, `_` and `-`, no digit and no `-` first. Names that already have it
 * stay as they are, and no two names get the same form.
 */
export function wireNames(names: string[]): WireNames {
  const toWire = new Map<string, string>()
  const fromWire = new Map<string, string>()
  const fitting = names.filter((name) => accepted(name) === name)
  for (const name of [...fitting, ...names]) {
    if (toWire.has(name)) continue
    let wireName = accepted(name)
    for (let suffix = 2; fromWire.has(wireName); suffix += 1) {
      wireName = `${accepted(name).slice(0, MAX_LENGTH - 4)}_${suffix}`
    }
    toWire.set(name, wireName)
    fromWire.set(wireName, name)
  }
  return {
    toWire: (name) => toWire.get(name) ?? accepted(name),
    fromWire: (wireName) => fromWire.get(wireName) ?? wireName,
  }
}

function accepted(name: string): string {
  // Google only accepts names that start with a letter or `_`.
  return name
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .replace(/^(?=[^A-Za-z_])/, '_')
    .slice(0, MAX_LENGTH)
}
