import { CancellationScope, continueAsNew, isCancellation } from '@temporalio/workflow'
import type { AgentPlace } from '../store/documents.ts'
import { recordActivities } from './activities.ts'
import { runAgent, type LoopOutcome } from './agent-loop.ts'
import type { RunStatus } from './agent-run.ts'

export interface PromptInput {
  job: string
  /** The agents of the chain, in order; one in single mode. */
  agents: AgentPlace[]
  priority: number
  /** The agent of the chain to go on with after continue-as-new. */
  from?: number
}

/**
 * An execution with a workflow of its own: a prompt, a job or a chat message. Runs its agents one after the other; the
 * first that fails ends the chain.
 */
export async function prompt(input: PromptInput): Promise<RunStatus> {
  try {
    for (let index = input.from ?? 0; index < input.agents.length; index += 1) {
      const agent = input.agents[index] as AgentPlace
      const last = index === input.agents.length - 1
      const outcome: LoopOutcome = await runAgent({ job: input.job, path: String(index), agent, last }, input.priority)
      if (outcome === 'continue_as_new') return await continueAsNew<typeof prompt>({ ...input, from: index })
      if (outcome === 'canceled') return await stopped(input.job)
      if (outcome === 'failed') return outcome
    }
    return 'completed'
  } catch (error) {
    if (!isCancellation(error)) throw error
    return stopped(input.job)
  }
}

/** The last thing of a canceled run, also when the workflow itself was canceled. */
export async function stopped(job: string): Promise<RunStatus> {
  await CancellationScope.nonCancellable(() => recordActivities.recordStopped(job))
  return 'canceled'
}
