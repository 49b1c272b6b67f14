import { Context } from '@temporalio/activity'
import type { ExecutionDocument } from '../store/documents.ts'
import type { AgentRun } from '../workflows/agent-run.ts'
import type { Shard } from '../workflows/shard-plan.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { runOne } from './run-code.ts'
import { stoppedEntries } from './record-outcome.ts'
import { CANCELED, inScope } from './scope.ts'

/** Code tasks of one shard that run at the same time. */
const CONCURRENT_TASKS = 64

/**
 * The activity that runs a shard of plain-code tasks. Each task is recorded on its own as it ends, so a retry goes on with
 * those that are not.
 */
export function createRunTasks(deps: ActivityDependencies) {
  return async function runTasks({ batch, from, to, agent }: Shard): Promise<number> {
    const filter = { batch_id: batch, batch_index: { $gte: from, $lt: to }, completed_at: null }
    const open = await deps.store.executions
      .find(filter, { projection: { _id: 1 } })
      .sort({ batch_index: 1 })
      .toArray()
    const ids = open.map(({ _id }) => _id)
    const failures: unknown[] = []
    let ended = 0
    const next = async (): Promise<void> => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
        // Read when its turn comes: it may have been canceled since the shard was listed, and inputs that wait cost no memory.
        const task = await deps.store.byId.execution(id)
        // One that fails for now must not keep the others from their turn.
        if (task !== null) await runTask(deps, task, agent).catch((error: unknown) => failures.push(error))
        ended += 1
        Context.current().heartbeat(ended)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENT_TASKS }, next))
    if (failures.length > 0) throw failures[0]
    return ended
  }
}

async function runTask(deps: ActivityDependencies, task: ExecutionDocument, agent: AgentRun['agent']): Promise<void> {
  if (task.completed_at !== null) return
  const run: AgentRun = {
    job: task._id,
    ...(task.batch_id === undefined ? {} : { batch: task.batch_id }),
    path: '0',
    agent,
    last: true,
  }
  const running = task.status === 'running'
  const outcome = running ? await inScope(deps, task._id, (scope) => runOne(deps, run, task, scope)) : CANCELED
  if (outcome !== CANCELED && outcome !== 'canceled') return
  const canceled = { ...task, status: 'canceled' as const }
  await Promise.all((await stoppedEntries(deps, canceled)).map((entry) => deps.ledger.append(entry)))
}
