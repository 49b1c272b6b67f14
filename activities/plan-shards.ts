import { CODE_SHARD_TASKS, MODEL_SHARD_TASKS, type Shard, type ShardPlan } from '../workflows/shard-plan.ts'
import type { ActivityDependencies } from './dependencies.ts'

/**
 * The activity that looks for the next shards of a batch, from task `from` on. It reads what was stored and nothing else:
 * a signal that was lost loses no task.
 */
export function createPlanShards({ store }: ActivityDependencies) {
  return async function planShards(batch: string, from: number, wanted: number): Promise<ShardPlan> {
    const shards: Shard[] = []
    let next = from
    while (shards.length < wanted) {
      const filter = { batch_id: batch, batch_index: { $gte: next }, completed_at: null }
      const projection = { batch_index: 1, agents: 1 }
      const first = await store.executions.findOne(filter, { projection, sort: { batch_index: 1 } })
      const agent = first?.agents[0]
      if (first?.batch_index === undefined || agent === undefined) break
      const size = agent.kind === 'code' ? CODE_SHARD_TASKS : MODEL_SHARD_TASKS
      const to = await endOfShard(store, batch, first.batch_index, size, agent.name)
      shards.push({ batch, from: first.batch_index, to, agent })
      next = to
    }
    if (shards.length > 0) {
      await store.batches.updateOne({ _id: batch, status: 'submitted' }, { $set: { status: 'running' } })
    }
    return { shards, next }
  }
}

/** The shard ends after `size` tasks, with the batch, or where another agent's tasks begin. */
async function endOfShard(
  store: ActivityDependencies['store'],
  batch: string,
  from: number,
  size: number,
  agent: string,
): Promise<number> {
  const filter = { batch_id: batch, batch_index: { $gte: from, $lt: from + size } }
  const projection = { batch_index: 1, 'agents.name': 1 }
  const tasks = await store.executions.find(filter, { projection }).sort({ batch_index: 1 }).toArray()
  const other = tasks.find((task) => task.agents[0]?.name !== agent)
  return other?.batch_index ?? (tasks.at(-1)?.batch_index ?? from) + 1
}

/** The activity that lists the tasks of a shard that have not ended. */
export function createListTasks({ store }: ActivityDependencies) {
  return async function listTasks({ batch, from, to }: Shard): Promise<string[]> {
    const filter = { batch_id: batch, batch_index: { $gte: from, $lt: to }, completed_at: null }
    const tasks = await store.executions
      .find(filter, { projection: { _id: 1 } })
      .sort({ batch_index: 1 })
      .toArray()
    return tasks.map((task) => task._id)
  }
}
