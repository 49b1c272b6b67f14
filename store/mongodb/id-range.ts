/** Filter for ids with a prefix, a range of the primary key. No character in our ids sorts after `~`. */
export function idRange(prefix: string): { $gte: string; $lt: string } {
  return { $gte: prefix, $lt: `${prefix}~` }
}
