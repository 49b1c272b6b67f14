const OTHER = 'other'

/**
 * Bounds the number of values of a label: each is a series, and names come from outside. What comes after the first
 * `limit` values counts as `other`.
 */
export function boundedLabel(limit: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= limit) return OTHER
    known.add(value)
    return value
  }
}
