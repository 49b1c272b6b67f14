/** Logs that are read together at the most: each is a connection. */
export const MOST_TOGETHER = 8

/** The containers that an address names: one, or several with commas between. */
export function namesOf(id: string): string[] {
  const names = id.split(',').filter((name) => name !== '')
  return [...new Set(names)].slice(0, MOST_TOGETHER)
}

/** The address of the logs of these. */
export function idOf(names: readonly string[]): string {
  return names.slice(0, MOST_TOGETHER).join(',')
}
