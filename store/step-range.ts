/** Ids of what an execution's steps have: a step's id begins with its job's, a range of the primary key. */
export function stepRange(job: string): { $gte: string; $lt: string } {
  return { $gte: `${job}|`, $lt: `${job}}` }
}
