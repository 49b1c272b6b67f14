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
  type WorkflowExecuteInput,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptors,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow'
import { plannedSpanId, type PlannedSpan } from './planned-span.ts'
import { readTraceHeader, withTraceHeader, type TraceParent } from './trace-header.ts'

/** The sink through which spans leave the sandbox; the worker always registers it. */
export interface TraceSinks extends Record<string, Record<string, (span: PlannedSpan) => void>> {
  tracing: { spanEnded: (span: PlannedSpan) => void }
}

/**
 * Carries a trace through a workflow, and makes a span of the workflow. Without a trace in the workflow's header it does
 * nothing.
 *
 * It adds headers and calls sinks, neither of which is a command, and hands on the very promises that it was given: a
 * history replays the same whether it was recorded with a trace or without.
 */
class WorkflowTrace implements WorkflowInboundCallsInterceptor, WorkflowOutboundCallsInterceptor {
  #parent: TraceParent | undefined
  #own: TraceParent | undefined

  execute(input: WorkflowExecuteInput, next: Next<WorkflowInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    const parent = readTraceHeader(input.headers)
    if (parent === undefined) return next(input)
    const { runId } = workflowInfo()
    this.#parent = parent
    this.#own = { ...parent, spanId: plannedSpanId(`${parent.traceId}/${runId}`) }
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

  continueAsNew(input: ContinueAsNewInput, next: Next<WorkflowOutboundCallsInterceptor, 'continueAsNew'>) {
    // The next run's span is a sibling of this one.
    return next(
      this.#parent === undefined ? input : { ...input, headers: withTraceHeader(input.headers, this.#parent) },
    )
  }

  #scheduled<Input extends { headers: Headers }>(
    input: Input,
    next: (input: Input) => Promise<unknown>,
  ): Promise<unknown> {
    return next(this.#own === undefined ? input : { ...input, headers: withTraceHeader(input.headers, this.#own) })
  }

  #end(startMs: number, error?: unknown): void {
    const { runId, workflowId, workflowType } = workflowInfo()
    const continues = error instanceof ContinueAsNew
    emit({
      ...(this.#own as TraceParent),
      name: `RunWorkflow:${workflowType}`,
      parentSpanId: (this.#parent as TraceParent).spanId,
      startMs,
      endMs: Date.now(),
      attributes: { 'temporal.workflow.id': workflowId, 'temporal.run.id': runId },
      ...(error === undefined || continues || isCancellation(error) ? {} : { error: 'workflow_failed' }),
    })
  }
}

/** The interceptors of one workflow run, as required by the worker's bundle. */
export function interceptors(): WorkflowInterceptors {
  const trace = new WorkflowTrace()
  return { inbound: [trace], outbound: [trace] }
}

function emit(span: PlannedSpan): void {
  proxySinks<TraceSinks>().tracing.spanEnded(span)
}
