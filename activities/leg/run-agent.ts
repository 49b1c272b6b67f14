import { codeOf } from '../../core/errors.ts'
import type { AgentRun, LegResult } from '../../core/execution.ts'
import { fieldName } from '../../store/mongodb/field-name.ts'
import { toFailure } from '../failures.ts'
import { agentInputs, toEventInputs } from './agent-inputs.ts'
import { recordFailed, recordStart } from '../records/agent-record.ts'
import { checkValue } from './check-value.ts'
import { runCodeAgent } from './code-agent.ts'
import type { AgentAtWork } from '../records/agent-at-work.ts'
import type { Leg } from '../attempt/leg.ts'
import { runModelAgent } from './model-agent.ts'
import { handedOver } from '../attempt/parked.ts'
import { openBudgets } from '../records/run-budgets.ts'
import type { RunSummary } from '../attempt/outcome.ts'
import { NO_RECORDS, readRecords, type RunRecords } from '../records/transcript.ts'

/** Another worker that takes the attempt may host an agent that this worker does not. */
const NEXT_WORKER_MS = 2_000

/**
 * Runs an agent in this worker from the end of its records, with the current definition.
 * @param given - the agent's inputs; undefined reads them from the records.
 * @throws ApplicationFailure agent_not_hosted, which is retried: another worker of the pool may host the agent, or this
 *   one after an update.
 */
export async function runAgent(leg: Leg, run: AgentRun, given?: unknown): Promise<LegResult> {
  const { deps, attempt } = leg
  const agent = deps.agents.get(run.agent)
  if (agent === undefined) {
    const sentence = `Worker ${deps.worker} does not host agent "${run.agent}".`
    throw toFailure(Object.assign(new Error(sentence), { code: 'agent_not_hosted' }), { retryAfterMs: NEXT_WORKER_MS })
  }
  return deps.inAgentSpan(run.agent, run.job, async () => {
    // The take comes before the read of the records, so that the previous holder can write no more.
    if (run === attempt.run && !attempt.isFresh) await attempt.append({ events: [] })
    const records = attempt.isFresh ? NO_RECORDS : await readRecords(deps, run)
    let summary = recordedStart(leg, run, records)
    try {
      const inputs = given ?? (await agentInputs(leg, run))
      summary ??= recordStart(leg, run, await toEventInputs(leg, run, inputs))
      if (run === attempt.run) attempt.summary = summary
      await attempt.mayEnter()
      const budgets = await openBudgets(leg, run, agent)
      return toWorkflow(leg, run, await runChecked(leg, { run, agent, inputs, records, summary, budgets }))
    } catch (error) {
      // An object that is lost for good fails the agent that needs it; retries would never end.
      if (codeOf(error) !== 'object_lost') throw error
      return { status: await recordFailed(leg, run, error, summary ?? recordStart(leg, run, null)) }
    }
  })
}

/** Nothing is spent on inputs that do not match the agent's schema or that the agent refuses. */
async function runChecked(leg: Leg, given: AgentAtWork): Promise<LegResult> {
  const { run, agent, summary } = given
  const checked = agent.inputSchema?.check(given.inputs) ?? { value: given.inputs }
  if ('problem' in checked) {
    const error = new Error(`The inputs do not fit: ${checked.problem}`)
    return { status: await recordFailed(leg, run, error, summary, { code: 'invalid_input' }) }
  }
  const work = { ...given, inputs: checked.value }
  const refused = await checkValue(leg, work, 'in', work.inputs)
  return refused ?? (agent.kind === 'code' ? runCodeAgent(leg, work) : runModelAgent(leg, work))
}

/** The result for the workflow. The end of the run itself includes the step notes for operators. */
function toWorkflow({ attempt }: Leg, run: AgentRun, result: LegResult): LegResult {
  if (run !== attempt.run) return result
  if (result.status === 'parked') return handedOver(result, run.elsewhere)
  const { steps, earlier } = attempt.progress
  return { ...result, steps, earlier }
}

function recordedStart({ attempt, execution }: Leg, run: AgentRun, { start }: RunRecords): RunSummary | undefined {
  const take = run === attempt.run ? execution.takes?.[fieldName(run.path)] : undefined
  const begun = take?.started_at === undefined ? start : { id: take.start ?? null, at: take.started_at }
  if (begun === undefined) return undefined
  return { start: { id: begun.id }, startedAt: begun.at, steps: 0, tokens: { prompt: 0, completion: 0 } }
}
