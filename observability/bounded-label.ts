const OTHER = 'other'

/**
 * Limits the number of values of a label, because each is a time series and names come from outside. Values after the
 * first `limit` count as `other`.
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
