/** Up to this many different texts keep their own names, because their numbers may be significant, such as a status. */
const MANY = 5
const UNNAMED = 'No error was given.'

/**
 * Groups similar errors by their first line. If many lines differ only in numbers and ids, `#` replaces these in the
 * name of the group.
 * @returns the name of the group for each text.
 */
export function nameAlikeErrors(errors: Iterable<string | null>): Map<string | null, string> {
  const linesOf = new Map<string, Set<string>>()
  const names = new Map<string | null, string>()
  for (const error of errors) {
    if (names.has(error)) continue
    const line = error?.split('\n')[0]?.trim() || UNNAMED
    names.set(error, line)
    const pattern = patternOf(line)
    const lines = linesOf.get(pattern) ?? new Set()
    linesOf.set(pattern, lines.add(line))
  }
  for (const [error, line] of names) {
    const pattern = patternOf(line)
    if ((linesOf.get(pattern)?.size ?? 0) > MANY) names.set(error, pattern)
  }
  return names
}

/** Matches ids, then other words with a digit. */
function patternOf(line: string): string {
  return line.replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '#').replaceAll(/\b\d[\w.,:]*\b/g, '#')
}
