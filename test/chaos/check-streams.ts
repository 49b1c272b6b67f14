import type { Store } from '../../store/mongodb/connect.ts'
import type { Clients } from './clients.ts'
import type { Entry } from './journal.ts'
import type { Observed } from './observer.ts'

/** Streams that came to their end, against all the events that were ever committed. */
export function checkStreams(entries: Entry[], { subjects }: Pick<Clients, 'subjects'>, observed: Observed): string[] {
  const violations: string[] = []
  const byJob = Map.groupBy(observed.traces, ({ job }) => job)
  const byBatch = Map.groupBy(observed.traces, ({ batch }) => batch)
  const deleted = new Set(subjects.filter((subject) => subject.deleted).map(({ id }) => id))
  for (const { what, id, kind, complete, ids, who } of entries) {
    if (what !== 'stream' || complete === undefined || deleted.has(id as string)) continue
    const due = (kind === 'batch' ? byBatch.get(id as string) : byJob.get(id as string)) ?? []
    const got = new Set(ids as number[])
    const highest = Math.max(0, ...got)
    // A batch may be revived after the stream was left.
    const missing = due.filter((event) => !got.has(event.id) && (kind !== 'batch' || event.id < highest))
    if (missing.length > 0)
      violations.push(`${who}: the stream of ${id} is without ${missing.map((event) => event.id).join()}`)
    const strange = [...got].filter((each) => !due.some((event) => event.id === each))
    if (strange.length > 0) violations.push(`${who}: the stream of ${id} has ${strange.join()}, which are not its own`)
  }
  return violations
}

/** The events of each completed execution: what began has ended, each recorded call has its event, once. */
export async function checkTraces(store: Store): Promise<string[]> {
  const violations: string[] = []
  const completed = store.executions.find({ status: 'completed' }, { projection: { agents: 1 } })
  for await (const { _id: id, agents } of completed) {
    const traces = await store.traces.find({ job_id: id }, { projection: { event_type: 1 } }).toArray()
    const steps = await store.steps.find({ job_id: id }, { projection: { _id: 1 } }).toArray()
    const times = (type: string) => traces.filter(({ event_type }) => event_type === type).length
    const recorded = (path: RegExp) => steps.filter(({ _id }) => path.test(_id)).length
    const delegations = times('delegation')
    const byModel = delegations - recorded(/\.k[0-9a-f]+-\d+$/)
    const runs = agents.length + delegations
    const is = [times('task_start'), times('task_complete'), times('tool_call'), times('llm_usage')]
    const due = [runs, runs, recorded(/\.m\d+\.c\d+$/) - byModel, recorded(/\.m\d+$/)]
    if (is.join() !== due.join())
      violations.push(
        `the events of ${id} are ${is.join()}, due are ${due.join()} (starts, ends, tool calls, model calls)`,
      )
  }
  return violations
}
