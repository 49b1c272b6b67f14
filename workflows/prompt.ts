import { CancellationScope, continueAsNew, isCancellation } from '@temporalio/workflow'
import type { EndStatus } from '../core/execution.ts'
import { records } from './activities.ts'
import { runAgent } from './run-agent.ts'

export interface PromptInput {
  job: string
  /** The batch of a task that left its batch's ranges. */
  batch?: string
  /** Names of the chain's agents in order; one in single mode. */
  agents: string[]
  priority: number
  /** Index of the agent to continue with after continue-as-new. */
  from?: number
}

/**
 * An execution with its own workflow: a prompt, a job, a chat message, or a task that must wait for long. It runs its
 * agents in order; the first failure ends the chain.
 */
export async function prompt(input: PromptInput): Promise<EndStatus> {
  const { job, batch, agents, priority, from = 0 } = input
  try {
    for (const [index, agent] of agents.entries()) {
      if (index < from) continue
      const run = { job, batch, path: String(index), agent, last: index === agents.length - 1 }
      const outcome = await runAgent(run, priority, index === from)
      if (outcome === 'continue_as_new') return await continueAsNew<typeof prompt>({ ...input, from: index })
      if (outcome === 'canceled') return await stopped(job)
      if (outcome === 'failed') return outcome
    }
    return 'completed'
  } catch (error) {
    if (!isCancellation(error)) throw error
    return stopped(job)
  }
}

/** Records that a canceled execution is at rest, even if the workflow itself was canceled. */
async function stopped(job: string): Promise<EndStatus> {
  await CancellationScope.nonCancellable(() => records.recordStopped(job))
  return 'canceled'
}
