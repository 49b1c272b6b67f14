import { CancellationScope, continueAsNew, isCancellation } from '@temporalio/workflow'
import type { EndStatus } from '../core/execution.ts'
import { records } from './activities.ts'
import { runAgent } from './run-agent.ts'

export interface PromptInput {
  job: string
  /** Of a task that left its batch's ranges. */
  batch?: string
  /** Names of the agents of the chain, in order; one in single mode. */
  agents: string[]
  priority: number
  /** The agent of the chain to go on with after continue-as-new. */
  from?: number
}

/**
 * An execution with a workflow of its own: a prompt, a job, a chat message, or a task that has to wait for long. Runs its
 * agents one after the other; the first that fails ends the chain.
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

/** The last thing of a canceled run, also when the workflow itself was canceled. */
async function stopped(job: string): Promise<EndStatus> {
  await CancellationScope.nonCancellable(() => records.recordStopped(job))
  return 'canceled'
}
