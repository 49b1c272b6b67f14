import { continueAsNew } from '@temporalio/workflow'
import { runAgent } from './agent-loop.ts'
import type { AgentRun, RunStatus } from './agent-run.ts'
import { PRIORITY } from './task-queues.ts'

/** An agent that another agent's code called: part of the caller's execution, its answer is recorded at the call's place. */
export async function call(run: AgentRun): Promise<RunStatus> {
  const outcome = await runAgent(run, PRIORITY.prompt)
  return outcome === 'continue_as_new' ? continueAsNew<typeof call>(run) : outcome
}
