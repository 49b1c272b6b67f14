/** Events in their order, but those of one job beside each other; the job that comes first leads. Stable. */
export function byJob<Event extends { job_id: string }>(events: Event[]): Event[] {
  const jobs = new Map<string, Event[]>()
  for (const event of events) {
    const job = jobs.get(event.job_id)
    if (job === undefined) jobs.set(event.job_id, [event])
    else job.push(event)
  }
  return jobs.size < 2 ? events : [...jobs.values()].flat()
}
