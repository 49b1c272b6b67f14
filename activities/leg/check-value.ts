import type { AgentContext } from '../../agents/definition.ts'
import type { LegResult, Parked } from '../../core/execution.ts'
import { toJsonValue } from '../../core/json.ts'
import { checkPath } from '../../core/step-path.ts'
import { CodeContext } from './agent-context.ts'
import { recordFailed } from '../records/agent-record.ts'
import { rethrowInterruption } from './interrupted.ts'
import type { AgentAtWork } from '../records/agent-at-work.ts'
import type { Leg } from '../attempt/leg.ts'

/** The recorded verdict of a check. */
interface Verdict {
  /** Why the value is refused; null if it is accepted. */
  refused: string | null
}

/**
 * Validates a value with the agent's `checkInput` or `checkOutput`. The check runs once, and its recorded verdict is
 * final. A check that throws, or returns neither true nor a sentence, refuses the value.
 * @returns the end of the leg; undefined if the value is accepted.
 */
export async function checkValue(
  leg: Leg,
  work: AgentAtWork,
  checked: 'in' | 'out',
  value: unknown,
): Promise<LegResult | undefined> {
  const { agent, run, summary } = work
  const check = checked === 'in' ? agent.checkInput : agent.checkOutput
  if (check === undefined) return undefined
  let verdict: Verdict | Parked
  try {
    const judge = (context: AgentContext) => check.call(agent, value as never, context)
    verdict = recordedVerdict(work, checked) ?? (await newVerdict(leg, work, checked, judge))
  } catch (error) {
    rethrowInterruption(error)
    leg.attempt.signal.throwIfAborted()
    return { status: await recordFailed(leg, run, error, summary, { code: 'guardrail_failed' }) }
  }
  if ('status' in verdict) return verdict
  if (verdict.refused === null) return undefined
  return { status: await recordFailed(leg, run, new Error(verdict.refused), summary, { code: 'guardrail_refused' }) }
}

function recordedVerdict({ run, records }: AgentAtWork, checked: 'in' | 'out'): Verdict | undefined {
  const result = records.byPath.get(checkPath(run.path, checked))?.result
  return result != null && 'json' in result ? (JSON.parse(result.json) as Verdict) : undefined
}

async function newVerdict(
  leg: Leg,
  work: AgentAtWork,
  checked: 'in' | 'out',
  judge: (context: AgentContext) => unknown,
): Promise<Verdict | Parked> {
  const { attempt } = leg
  const since = performance.now()
  const path = checkPath(work.run.path, checked)
  const context = new CodeContext(leg, work, path)
  const returned = await context.run(() => judge(context.agentContext))
  attempt.signal.throwIfAborted()
  if ('parked' in returned) return returned.parked
  const said = toJsonValue(returned.value)
  const name = `check${checked === 'in' ? 'Input' : 'Output'}`
  if (said !== true && (typeof said !== 'string' || said === '')) {
    throw new Error(`${name} must give true or a sentence; it gave ${JSON.stringify(said)?.slice(0, 100)}.`)
  }
  const verdict: Verdict = { refused: said === true ? null : said }
  attempt.note(name, since)
  await attempt.append({ path, result: { json: JSON.stringify(verdict) }, events: [] })
  return verdict
}
