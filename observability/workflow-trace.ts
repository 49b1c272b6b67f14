import type { Headers } from '@temporalio/common'
import {
  ContinueAsNew,
  isCancellation,
  proxySinks,
  workflowInfo,
  type ActivityInput,
  type ContinueAsNewInput,
  type LocalActivityInput,
  type Next,
  type StartChildWorkflowExecutionInput,
  type WorkflowExecuteInput,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptors,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow'
import type { AgentRun } from '../workflows/agent-run.ts'
import { plannedSpanId, type PlannedSpan } from './planned-span.ts'
import { readTraceHeader, readUnderWay, withTraceHeader, withUnderWay, type TracePlace } from './trace-header.ts'

/** How spans leave the sandbox; the worker always registers it. */
export interface TraceSinks extends Record<string, Record<string, (span: PlannedSpan) => void>> {
  tracing: { spanEnded: (span: PlannedSpan) => void }
}

interface OpenAgent {
  run: AgentRun
  place: TracePlace
  parentSpanId: string
  startMs: number
}

/**
 * Carries a trace through a workflow, and makes a span of the workflow and of each model agent in it (their steps are
 * activities, so nothing else lives as long as they do). Without a trace in the workflow's header it does nothing.
 *
 * It adds headers and calls sinks, neither of which is a command, and hands on the very promises that it was given: a
 * history replays the same whether it was recorded with a trace or without.
 */
class WorkflowTrace implements WorkflowInboundCallsInterceptor, WorkflowOutboundCallsInterceptor {
  #parent: TracePlace | undefined
  #own: TracePlace | undefined
  #startedBefore = new Map<string, number>()
  readonly #agents = new Map<string, OpenAgent>()

  execute(input: WorkflowExecuteInput, next: Next<WorkflowInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    const parent = readTraceHeader(input.headers)
    if (parent === undefined) return next(input)
    const { runId } = workflowInfo()
    this.#parent = parent
    this.#own = { ...parent, spanId: plannedSpanId(`${parent.traceId}/${runId}`) }
    this.#startedBefore = readUnderWay(input.headers)
    const startMs = Date.now()
    const ending = next(input)
    ending.then(
      () => this.#end(startMs),
      (error: unknown) => this.#end(startMs, error),
    )
    return ending
  }

  scheduleActivity(input: ActivityInput, next: Next<WorkflowOutboundCallsInterceptor, 'scheduleActivity'>) {
    return this.#scheduled(input, next)
  }

  scheduleLocalActivity(
    input: LocalActivityInput,
    next: Next<WorkflowOutboundCallsInterceptor, 'scheduleLocalActivity'>,
  ) {
    return this.#scheduled(input, next)
  }

  startChildWorkflowExecution(
    input: StartChildWorkflowExecutionInput,
    next: Next<WorkflowOutboundCallsInterceptor, 'startChildWorkflowExecution'>,
  ) {
    return next(this.#own === undefined ? input : { ...input, headers: withTraceHeader(input.headers, this.#own) })
  }

  continueAsNew(input: ContinueAsNewInput, next: Next<WorkflowOutboundCallsInterceptor, 'continueAsNew'>) {
    if (this.#parent === undefined) return next(input)
    const startedAt = new Map([...this.#agents].map(([key, { startMs }]) => [key, startMs]))
    // The next run stands beside this one, below the same parent.
    return next({ ...input, headers: withUnderWay(withTraceHeader(input.headers, this.#parent), startedAt) })
  }

  #scheduled<Input extends { activityType: string; args: unknown[]; headers: Headers }>(
    input: Input,
    next: (input: Input) => Promise<unknown>,
  ): Promise<unknown> {
    if (this.#own === undefined) return next(input)
    const run = asAgentRun(input.args[0])
    const place = run === undefined ? this.#own : this.#placeOf(run)
    const ending = next({ ...input, headers: withTraceHeader(input.headers, place) })
    if (run !== undefined) ending.then((result) => this.#observe(input.activityType, run, result), ignore)
    return ending
  }

  /** Where an agent's activities belong: below its own span, or where code runs that makes its span itself. */
  #placeOf(run: AgentRun): TracePlace {
    const known = this.#agents.get(keyOf(run))
    if (known !== undefined) return known.place
    const own = this.#own as TracePlace
    const above = this.#agents.get(parentKeyOf(run))?.place ?? own
    if (run.agent.kind === 'code') return above
    const place = { ...own, spanId: plannedSpanId(`${own.traceId}/${keyOf(run)}`) }
    const startMs = this.#startedBefore.get(keyOf(run)) ?? Date.now()
    this.#agents.set(keyOf(run), { run, place, parentSpanId: above.spanId, startMs })
    return place
  }

  #observe(activityType: string, run: AgentRun, result: unknown): void {
    if (activityType === 'recordFailure') this.#endAgent(run, 'failed')
    if (activityType !== 'callModel') return
    const { status } = result as { status: string }
    if (status !== 'calls') this.#endAgent(run, status)
  }

  #endAgent(run: AgentRun, status: string): void {
    const open = this.#agents.get(keyOf(run))
    if (open === undefined) return
    this.#agents.delete(keyOf(run))
    const { place, parentSpanId, startMs } = open
    emit({
      ...place,
      name: `invoke_agent ${run.agent.name}`,
      ...{ parentSpanId, startMs, endMs: Date.now() },
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': run.agent.name,
        'gen_ai.conversation.id': run.job,
        'troupe.status': status,
      },
      ...(status === 'failed' ? { error: 'agent_failed' } : {}),
    })
  }

  #end(startMs: number, error?: unknown): void {
    const { runId, workflowId, workflowType } = workflowInfo()
    const continues = error instanceof ContinueAsNew
    // An agent that never came to an end was canceled with its workflow; one that goes on in the next run ends there.
    if (!continues) for (const { run } of [...this.#agents.values()]) this.#endAgent(run, 'canceled')
    emit({
      ...(this.#own as TracePlace),
      name: `RunWorkflow:${workflowType}`,
      parentSpanId: (this.#parent as TracePlace).spanId,
      ...{ startMs, endMs: Date.now() },
      attributes: { 'temporal.workflow.id': workflowId, 'temporal.run.id': runId },
      ...(error === undefined || continues || isCancellation(error) ? {} : { error: 'workflow_failed' }),
    })
  }
}

/** What the worker's bundle takes from this module: the interceptors of one run of a workflow. */
export function interceptors(): WorkflowInterceptors {
  const trace = new WorkflowTrace()
  return { inbound: [trace], outbound: [trace] }
}

function emit(span: PlannedSpan): void {
  proxySinks<TraceSinks>().tracing.spanEnded(span)
}

function asAgentRun(value: unknown): AgentRun | undefined {
  const isRun = typeof value === 'object' && value !== null && 'job' in value && 'path' in value && 'agent' in value
  return isRun ? (value as AgentRun) : undefined
}

function keyOf({ job, path }: AgentRun): string {
  return `${job}/${path}`
}

function parentKeyOf({ job, path }: AgentRun): string {
  return `${job}/${path.slice(0, Math.max(path.lastIndexOf('>'), 0))}`
}

function ignore(): void {}
