/** Encodes a name as a MongoDB field name: no dot, no `$`, and no character with a special meaning in paths. */
export function fieldName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll('.', '%2E').replaceAll('$', '%24')
}
