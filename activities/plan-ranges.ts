import { Context } from '@temporalio/activity'
import type { TaskRange } from '../core/execution.ts'
import { findPool } from '../store/registry/agents.ts'
import type { AgentKind } from '../store/documents.ts'
import type { RangePlan } from '../workflows/activities.ts'
import { MAX_OPEN_RANGES, WINDOW_TASKS, type AgentCursor } from '../workflows/task-window.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { OF_RANGE } from '../store/open.ts'

/** Number of tasks in a range; one activity runs a range. */
const RANGE_TASKS: Record<AgentKind, number> = { code: 250, model: 100 }
/** Minimum number of free tasks of an agent before it is planned again. */
const LEAST_FREE = 50

/**
 * The activity that plans the next ranges of a batch for each of its agents. It reads only stored data, so a lost
 * signal loses no task.
 */
export async function planRanges(
  deps: ActivityDependencies,
  batch: string,
  cursors: Record<string, AgentCursor>,
): Promise<RangePlan> {
  const { store } = deps
  // A workflow without ranges divides the open tasks anew, while ranges of the previous workflow may still run.
  if (Object.keys(cursors).length === 0)
    await deps.rangeHolders.untilNoneHeld(batch, Context.current().cancellationSignal)
  const found = await store.batches.findOne({ _id: batch }, { projection: { agents: 1, agent_name: 1 } })
  const plan: RangePlan = { ranges: [], more: false }
  // A map, because an agent may have the name of an inherited object property.
  const cursorOf = new Map(Object.entries(cursors))
  for (const agent of found?.agents ?? (found === null ? [] : [found.agent_name])) {
    const { next, free } = cursorOf.get(agent) ?? { next: 0, free: WINDOW_TASKS }
    if (free < LEAST_FREE) continue
    const { pool = deps.pool, kind = 'model' } = (await findPool(store, agent, deps.pool, new Date())) ?? {}
    const indexes = await openIndexes(deps, batch, agent, next, free)
    plan.ranges.push(...toRanges({ batch, agent, pool }, indexes, RANGE_TASKS[kind]))
  }
  if (plan.ranges.length > MAX_OPEN_RANGES / 2) {
    plan.ranges.length = MAX_OPEN_RANGES / 2
    plan.more = true
  }
  if (plan.ranges.length > 0) {
    await store.batches.updateOne({ _id: batch, status: 'submitted' }, { $set: { status: 'running' } })
  }
  return plan
}

/** Indexes of an agent's open tasks from `next` on, without tasks that have their own workflows. */
async function openIndexes(
  { store }: ActivityDependencies,
  batch: string,
  agent: string,
  next: number,
  limit: number,
): Promise<number[]> {
  const filter = { batch_id: batch, prompt_name: agent, batch_index: { $gte: next }, ...OF_RANGE }
  const projection = { _id: 0, batch_index: 1 } as const
  const found = store.open.find(filter, { projection }).sort({ batch_index: 1 }).limit(limit)
  return (await found.toArray()).flatMap(({ batch_index }) => batch_index ?? [])
}

function toRanges(where: Pick<TaskRange, 'batch' | 'agent' | 'pool'>, indexes: number[], size: number): TaskRange[] {
  const ranges: TaskRange[] = []
  for (let at = 0; at < indexes.length; at += size) {
    const part = indexes.slice(at, at + size)
    ranges.push({ ...where, from: part[0] ?? 0, to: (part.at(-1) ?? 0) + 1, tasks: part.length })
  }
  return ranges
}
