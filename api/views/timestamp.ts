/** A time as the interface writes it: ISO 8601 in UTC with milliseconds. */
export function timestamp(at: Date): string {
  return at.toISOString()
}

/** A time that may not have come yet. */
export function timestampOrNull(at: Date | null | undefined): string | null {
  return at == null ? null : at.toISOString()
}
