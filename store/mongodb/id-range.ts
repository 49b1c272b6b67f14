/** Ids that begin so, a range of the primary key. Nothing in our ids comes behind `~`. */
export function idRange(prefix: string): { $gte: string; $lt: string } {
  return { $gte: prefix, $lt: `${prefix}~` }
}
