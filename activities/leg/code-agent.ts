import { setTimeout as sleep } from 'node:timers/promises'
import type { LegResult } from '../../core/execution.ts'
import { isObject, toJsonValue } from '../../core/json.ts'
import { failurePath } from '../../core/step-path.ts'
import { errorEvent } from '../events.ts'
import { CodeContext } from './agent-context.ts'
import { recordFailed } from '../records/agent-record.ts'
import { finishAgent, finishInvalid } from './finish-agent.ts'
import { rethrowInterruption } from './interrupted.ts'
import type { AgentAtWork } from '../records/agent-at-work.ts'
import type { Leg } from '../attempt/leg.ts'
import { recordedFailures } from '../records/transcript.ts'

/** Attempts at a `run` whose error has `retryable: true`. */
const MAX_RETRYABLE_ATTEMPTS = 6
const FIRST_PAUSE_MS = 500

/**
 * Runs a code agent from the top. Steps of the context (step, callAgent and sleep) that are recorded are not repeated.
 */
export async function runCodeAgent(leg: Leg, work: AgentAtWork): Promise<LegResult> {
  const { attempt } = leg
  const { run, agent, inputs, summary, records } = work
  for (let failures = recordedFailures(records, run.path)?.failures.count ?? 0; ; failures += 1) {
    const context = new CodeContext(leg, work, run.path)
    let answer: unknown
    try {
      attempt.signal.throwIfAborted()
      const returned = await context.run(() => agent.run?.(inputs as never, context.agentContext))
      if ('parked' in returned) return returned.parked
      answer = toJsonValue(returned.value)
    } catch (error) {
      rethrowInterruption(error)
      attempt.signal.throwIfAborted()
      if (!isObject(error) || error.retryable !== true || failures + 1 >= MAX_RETRYABLE_ATTEMPTS) {
        return { status: await recordFailed(leg, run, error, summary) }
      }
      const events = [errorEvent(run.agent, summary.start, error, { retryable: true })]
      await attempt.append({ path: failurePath(run.path, failures), events })
      await sleep(FIRST_PAUSE_MS * 2 ** failures, undefined, { signal: attempt.signal })
      attempt.entersAgain()
      continue
    }
    attempt.signal.throwIfAborted()
    const checked = agent.outputSchema?.check(answer) ?? { value: answer }
    if ('problem' in checked) return finishInvalid(leg, work, checked.problem, answer)
    return finishAgent(leg, work, checked.value)
  }
}
