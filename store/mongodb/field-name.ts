/** A name as a MongoDB field name: no dot, no leading `$`, nothing that a path could read differently. */
export function fieldName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll('.', '%2E').replaceAll('$', '%24')
}
