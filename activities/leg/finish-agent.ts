import type { LegResult } from '../../core/execution.ts'
import { recordFailed, recordResult } from '../records/agent-record.ts'
import { checkValue } from './check-value.ts'
import type { AgentAtWork } from '../records/agent-at-work.ts'
import type { Leg } from '../attempt/leg.ts'

/** Ends an agent with its output, if the agent's own check accepts it. */
export async function finishAgent(leg: Leg, work: AgentAtWork, answer: unknown): Promise<LegResult> {
  const refused = await checkValue(leg, work, 'out', answer)
  return refused ?? { status: await recordResult(leg, work.run, answer, work.summary) }
}

/**
 * Ends an agent whose output does not match its `output` schema, because an invalid value must never become an output.
 */
export async function finishInvalid(
  leg: Leg,
  { run, summary }: AgentAtWork,
  problem: string,
  raw: unknown,
): Promise<LegResult> {
  const error = new Error(`The answer does not fit: ${problem}`)
  return { status: await recordFailed(leg, run, error, summary, { code: 'invalid_output', kept: { raw } }) }
}
