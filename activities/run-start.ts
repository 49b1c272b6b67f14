import type { Written } from '../store/ledger-entry.ts'
import { depthOf, endPath, type AgentRun } from '../workflows/agent-run.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { event } from './events.ts'
import type { RunSummary } from './run-end.ts'

/**
 * Records that an agent starts: its task_start and, for a delegated agent, the delegation above it. What follows need not
 * wait for the write: entries keep their order, and an instant agent's start and end become one transaction.
 * @param first - that its start was surely not recorded before: only then may it share the record of its end.
 * @returns the summary that its end is told with, and the write under way.
 */
export function recordStart(
  deps: ActivityDependencies,
  run: AgentRun,
  inputs: unknown,
  first: boolean,
): { summary: RunSummary; written: Promise<Written> } {
  const startedAt = new Date()
  const start = { id: null }
  const root = depthOf(run) === 0
  const delegation = { id: null }
  const events = root
    ? []
    : [
        event(
          'delegation',
          run.by?.agent ?? run.agent.name,
          run.by?.start ?? null,
          { target_agent: run.agent.name, inputs },
          delegation,
        ),
      ]
  const parent = root ? null : delegation
  events.push(event('task_start', run.agent.name, parent, { inputs, worker: deps.worker }, start))
  // The reference that a recorded step's id goes to must be the first event's: the start's own record is made of it alone.
  const entries = events.map((single, index) =>
    deps.ledger.append({
      jobId: run.job,
      batchId: run.batch,
      path: index === events.length - 1 ? `${run.path}.start` : `${run.path}.delegation`,
      events: [single],
      ...(first ? { until: endPath(run) } : {}),
      ...(root ? { startedAt } : {}),
    }),
  )
  const written = Promise.all(entries).then((all) => all.at(-1) as Written)
  return { summary: { start, startedAt, steps: 0, tokens: { prompt: 0, completion: 0 } }, written }
}
