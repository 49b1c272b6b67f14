import { continueAsNew, isCancellation, uuid4 } from '@temporalio/workflow'
import { recordActivities } from './activities.ts'
import { runAgent, type LoopOutcome } from './agent-loop.ts'
import { stopped } from './prompt.ts'
import type { Shard } from './shard-plan.ts'
import { PRIORITY } from './task-queues.ts'

/** Model-agent tasks of a batch, run side by side; each task's steps are activities of their own. */
export async function shard(part: Shard): Promise<void> {
  const jobs = await recordActivities.listTasks(part)
  const outcomes = await Promise.all(jobs.map((job) => runTask(job, part)))
  if (outcomes.includes('continue_as_new')) await continueAsNew<typeof shard>(part)
}

async function runTask(job: string, { batch, agent }: Shard): Promise<LoopOutcome> {
  try {
    const outcome = await runAgent({ job, batch, path: '0', agent, last: true }, PRIORITY.task)
    return outcome === 'canceled' ? await stopped(job) : outcome
  } catch (error) {
    if (!isCancellation(error)) throw error
    return stopped(job)
  }
}

/** A fresh id for a shard's workflow: the batch's, with the place of its first task. */
export function shardWorkflowId({ batch, from }: Shard): string {
  return `${batch}/${from}/${uuid4().slice(0, 8)}`
}
