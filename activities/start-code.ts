import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentRun, CodeStart } from '../workflows/agent-run.ts'
import type { CodeRuns } from './code-runs.ts'
import type { ActivityDependencies } from './dependencies.ts'

/** Longest time that a workflow task is kept open for code that may end at once. */
const MOMENT_MS = 200

/**
 * The local activity that starts an agent of plain code in the worker that runs its workflow, if that worker hosts it. Code
 * that ends within a moment costs the engine no task of its own; other code goes on, and `runCode` on the queue that this
 * gives follows it. Never throws: what goes wrong here is for `runCode`, which the engine retries.
 */
export function createStartCode({ pool, agents, ownQueue }: ActivityDependencies, runs: CodeRuns) {
  return async function startCode(run: AgentRun): Promise<CodeStart> {
    const hosted = run.agent.pool === pool && agents.has(run.agent.name)
    const code = runs.find(run) ?? (hosted && runs.hasRoom() ? runs.begin(run) : undefined)
    if (code === undefined) return { status: 'not_started' }
    const ended = code.result.then(
      (status): CodeStart => ({ status }),
      (): CodeStart => ({ status: 'not_started' }),
    )
    return Promise.race([ended, sleep<CodeStart>(MOMENT_MS, { status: 'running', queue: ownQueue })])
  }
}
