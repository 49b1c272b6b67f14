import type { LoadedTool } from '../agents/loaded-agent.ts'
import type { ModelToolCall } from '../agents/models/model.ts'
import { messageOf } from '../core/errors.ts'
import type { EventDraft } from '../store/ledger-entry.ts'
import { stepKey } from '../store/ledger-entry.ts'
import type { AgentRun } from '../workflows/agent-run.ts'
import { createAgentContext } from './agent-context.ts'
import { answerCache } from './answer-cache.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { errorEvent, event, shown } from './events.ts'
import { hostedAgent } from './hosted-agent.ts'
import { CANCELED, inScope, untilStored, type Scope } from './scope.ts'
import type { ModelStepResult, OutcomeResult } from './step-results.ts'

/** Which call of which answer, and the agent's task_start above it. */
export interface ToolCall {
  /** Path below the agent: `m00002.c001`. */
  step: string
  start: number | null
}

/**
 * The activity that makes one tool call. A tool that throws, is unknown or gets wrong arguments is data for the model;
 * only what is not the tool's fault fails the activity.
 */
export function createCallTool(deps: ActivityDependencies) {
  return async function callTool(run: AgentRun, { step, start }: ToolCall): Promise<'done' | 'canceled'> {
    const outcome = await inScope(deps, run.job, async (scope) => {
      const path = `${run.path}.${step}`
      const [modelStep = ''] = step.split('.')
      const { byId } = deps.store
      const [execution, asked, recorded] = await Promise.all([
        byId.status(run.job),
        byId.step(stepKey(run.job, `${run.path}.${modelStep}`)),
        byId.step(stepKey(run.job, path)),
      ])
      if (execution?.status !== 'running') return CANCELED
      if (recorded !== null) return 'done' as const
      if (asked?.result == null) throw new Error(`Step ${modelStep} of ${run.job} is not recorded.`)
      const { calls } = (await deps.contents.value(asked.result)) as ModelStepResult
      const call = calls[Number(step.slice(step.lastIndexOf('c') + 1))]
      if (call === undefined) throw new Error(`Step ${step} of ${run.job} has no such call.`)
      await makeCall(deps, run, { call, path, start, scope })
      return 'done' as const
    })
    return outcome === CANCELED ? 'canceled' : outcome
  }
}

interface PlacedCall {
  call: ModelToolCall
  path: string
  start: number | null
  scope: Scope
}

async function makeCall(deps: ActivityDependencies, run: AgentRun, placed: PlacedCall): Promise<void> {
  const { call, start } = placed
  const agent = hostedAgent(deps, run.agent.name)
  const tool = agent.tools.find(({ name }) => name === call.name)
  const cache = answerCache<OutcomeResult>(deps, tool?.cache, ['tool', agent.fingerprint, call.name, call.arguments])
  const cached = await cache.find()
  if (cached !== undefined) {
    const parameters = await shownArguments(deps, run, placed)
    const hit = event('cache_hit', agent.name, start, { tool_name: call.name, parameters })
    return record(deps, run, placed, cached, () => [hit])
  }
  const startedAt = Date.now()
  const { outcome, thrown } = await execute(deps, run, tool, placed)
  const parameters = await shownArguments(deps, run, placed)
  await record(deps, run, placed, outcome, (result) => [
    event('tool_call', agent.name, start, {
      tool_name: call.name,
      tool: call.name,
      parameters,
      params: parameters,
      result,
      status: 'error' in outcome ? 'error' : 'success',
      duration_ms: Date.now() - startedAt,
      call_id: call.id,
    }),
    ...(thrown === undefined ? [] : [errorEvent(agent.name, start, thrown, { code: 'tool_failed' })]),
  ])
  if (!('error' in outcome)) await cache.keep(outcome)
}

async function execute(
  deps: ActivityDependencies,
  run: AgentRun,
  tool: LoadedTool | undefined,
  { call, path, start, scope }: PlacedCall,
): Promise<{ outcome: OutcomeResult; thrown?: unknown }> {
  try {
    if (tool === undefined) throw new Error(`There is no tool "${call.name}".`)
    if (call.malformed !== undefined)
      throw new Error(`The arguments are no JSON object: ${call.malformed.slice(0, 200)}`)
    const problem = tool.validate(call.arguments)
    if (problem !== undefined) throw new Error(`Wrong arguments for ${call.name}: ${problem}`)
    const context = createAgentContext(deps, run, { ...scope, base: path, start: { id: start } })
    scope.signal.throwIfAborted()
    const result = (await tool.execute(call.arguments, context)) ?? null
    JSON.stringify(result)
    return { outcome: { result } }
  } catch (error) {
    scope.signal.throwIfAborted()
    return { outcome: { error: messageOf(error) }, thrown: error }
  }
}

/** Arguments as events show them: a pointer when they are large. */
async function shownArguments(
  deps: ActivityDependencies,
  run: AgentRun,
  { call, path, scope }: PlacedCall,
): Promise<unknown> {
  const key = `steps/${run.job}/${path}.arguments.json`
  const content = await untilStored(deps, scope.signal, () => deps.contents.put(key, call.arguments))
  return shown(deps.contents, content, call.arguments)
}

/** Writes the call's record and events; what is large goes to the object store and both point to it. */
async function record(
  deps: ActivityDependencies,
  run: AgentRun,
  { path, scope: { signal } }: PlacedCall,
  outcome: OutcomeResult,
  events: (result: unknown) => EventDraft[],
): Promise<void> {
  const key = `steps/${run.job}/${path}`
  const value = 'error' in outcome ? { error: outcome.error } : outcome.result
  const [result, eventResult] = await untilStored(deps, signal, () =>
    Promise.all([deps.contents.put(`${key}.json`, outcome), deps.contents.put(`${key}.result.json`, value)]),
  )
  await deps.ledger.append({
    jobId: run.job,
    batchId: run.batch,
    path,
    result,
    events: events(shown(deps.contents, eventResult, value)),
  })
}
