import pLimit from 'p-limit'
import { delegateInputs, offeredTools } from '../../agents/models/offered-tools.ts'
import type { LegResult, Parked } from '../../core/execution.ts'
import { depthOf, MAX_DEPTH_OF_CALLS, toolCall } from '../../core/step-path.ts'
import { decideNext } from '../../core/transitions.ts'
import { findProfiles } from '../../store/registry/agents.ts'
import { recordFailed } from '../records/agent-record.ts'
import { askModel } from '../model-call/ask-model.ts'
import { BudgetExceeded } from '../records/budget-exceeded.ts'
import { callAgent, calledRun } from './call-agent.ts'
import { callTool } from './call-tool.ts'
import { finishAgent } from './finish-agent.ts'
import { judgeLast } from './judge-last.ts'
import type { AgentAtWork } from '../records/agent-at-work.ts'
import type { Leg } from '../attempt/leg.ts'
import type { ModelWork } from '../records/model-work.ts'
import { together } from '../attempt/parked.ts'
import { readTranscript, recordedModel } from '../records/transcript.ts'

/** Model calls of an agent without a setting. */
const DEFAULT_MAX_STEPS = 20
/** Maximum number of concurrent calls from one response. */
const MAX_CALLS_AT_ONCE = 500

/**
 * Runs a model agent: a model call, its tool calls in parallel, the next model call, and so on. Each step is recorded
 * before a step that depends on it.
 */
export async function runModelAgent(leg: Leg, agentWork: AgentAtWork): Promise<LegResult> {
  const { run, agent, summary } = agentWork
  const work = await modelWork(leg, agentWork)
  const { transcript } = work
  const maxSteps = agent.maxSteps ?? DEFAULT_MAX_STEPS
  for (;;) {
    summary.steps = transcript.steps + (transcript.last === undefined ? 0 : 1)
    summary.tokens = { ...transcript.tokens }
    const judged = await judgeLast(leg, work, maxSteps)
    if (judged !== undefined) return judged
    const next = decideNext(transcript, maxSteps)
    if (next.action === 'finish') return finishAgent(leg, work, transcript.last?.text)
    if (next.action === 'max_steps') {
      const error = new Error(`The agent made ${maxSteps} model calls without coming to an answer.`)
      return { status: await recordFailed(leg, run, error, summary, { code: 'max_steps' }) }
    }
    const go = () => (next.action === 'call' ? makeCalls(leg, work, next.calls) : askModel(leg, work))
    const outcome = await withinBudgets(leg, work, go)
    if (outcome !== undefined) return outcome
  }
}

/** At the end of the budget, the agent makes a final call if the budget allows it; otherwise it fails. */
async function withinBudgets(
  leg: Leg,
  work: ModelWork,
  go: () => Promise<LegResult | undefined>,
): Promise<LegResult | undefined> {
  try {
    return await go()
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error
    leg.attempt.signal.throwIfAborted()
    if (error.mayAnswer && work.exceeded === undefined) {
      work.exceeded = error
      return undefined
    }
    const kept = { partial: lastText(work) ?? null }
    return { status: await recordFailed(leg, work.run, error, work.summary, { kept }) }
  }
}

/** The model's last text; undefined if it wrote none. */
function lastText({ transcript }: ModelWork): string | undefined {
  const texts = transcript.turns.flatMap((turn) => (turn.role === 'assistant' ? [turn.text] : []))
  return [...texts, transcript.last?.text].findLast((text) => text !== undefined && text !== '')
}

async function modelWork({ deps }: Leg, work: AgentAtWork): Promise<ModelWork> {
  const { agent, run, records } = work
  const names = depthOf(run.path) >= MAX_DEPTH_OF_CALLS ? [] : (agent.delegates ?? [])
  const profiles = names.length === 0 ? [] : await findProfiles(deps.store, names)
  const tools = new Set(agent.tools.map(({ name }) => name))
  return {
    ...work,
    transcript: await readTranscript(deps.contents, run, records),
    tools: offeredTools(agent, profiles),
    model: agent.models.length > 1 ? recordedModel(records) : 0,
    delegates: new Set(profiles.map(({ name }) => name).filter((name) => !tools.has(name))),
  }
}

/**
 * Makes the unrecorded calls of a response.
 * @returns undefined if all calls are then recorded.
 */
async function makeCalls(leg: Leg, work: ModelWork, indexes: number[]): Promise<Parked | undefined> {
  const { signal } = leg.attempt
  const { last: answer, steps } = work.transcript
  const limit = pLimit({ concurrency: MAX_CALLS_AT_ONCE, rejectOnClear: true })
  let problem: { error: unknown } | undefined
  const waits: Parked[] = []
  const make = async (index: number): Promise<void> => {
    signal.throwIfAborted()
    const path = toolCall(steps, index)
    const call = answer?.calls[index]
    if (call === undefined) throw new Error(`Step ${path} of ${work.run.job} has no such call.`)
    const given = work.delegates.has(call.name) && call.malformed === undefined && delegateInputs(call.arguments)
    const outcome =
      given !== false && 'inputs' in given
        ? await callAgent(leg, calledRun(work, path, call.name, work.summary.start.id), given.inputs)
        : await callTool(leg, work, { call, path: `${work.run.path}.${path}` })
    if ('status' in outcome) waits.push(outcome)
    else work.transcript.called(index, outcome)
  }
  await Promise.all(
    indexes.map((index) =>
      limit(() => make(index)).catch((error: unknown) => {
        // The results of queued calls would not be used.
        problem ??= { error }
        limit.clearQueue()
      }),
    ),
  )
  if (problem !== undefined) throw (problem as { error: unknown }).error
  return waits.length === 0 ? undefined : together(waits)
}
