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

/** An agent that this worker does not know may be known to the next one that takes the attempt. */
const NEXT_WORKER_MS = 2_000

/**
 * Runs an agent in this worker, from where its records end, as what its definition says today.
 * @param given - its inputs; undefined reads them from the records.
 * @throws ApplicationFailure agent_not_hosted, retried: another worker of the pool may have it, or this one after its update.
 */
export async function runAgent(leg: Leg, run: AgentRun, given?: unknown): Promise<LegResult> {
  const { deps, attempt } = leg
  const agent = deps.agents.get(run.agent)
  if (agent === undefined) {
    const sentence = `Worker ${deps.worker} does not host agent "${run.agent}".`
    throw toFailure(Object.assign(new Error(sentence), { code: 'agent_not_hosted' }), { retryAfterMs: NEXT_WORKER_MS })
  }
  return deps.inAgentSpan(run.agent, run.job, async () => {
    // The run is taken before its records are read: whoever held it writes no more.
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
      // What is lost for good is not looked for for ever: it fails the agent that needs it.
      if (codeOf(error) !== 'object_lost') throw error
      return { status: await recordFailed(leg, run, error, summary ?? recordStart(leg, run, null)) }
    }
  })
}

/** Nothing is spent on inputs that do not fit the agent, or that it refuses. */
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

/** What the run itself gives to its workflow. Its end tells operators what was done. */
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
