import { SpanKind } from '@opentelemetry/api'
import type { WorkflowClientInterceptor } from '@temporalio/client'
import { inSpan, withActiveSpan } from './tracer.ts'

/** Starts a client's workflows within the caller's trace. */
export function traceStarts(): WorkflowClientInterceptor {
  return {
    startWithDetails: (input, next) =>
      inSpan(`StartWorkflow:${input.workflowType}`, about(input.options.workflowId), () =>
        next({ ...input, headers: withActiveSpan(input.headers) }),
      ),
    signalWithStart: (input, next) =>
      inSpan(`SignalWithStartWorkflow:${input.workflowType}`, about(input.options.workflowId), () =>
        next({ ...input, headers: withActiveSpan(input.headers) }),
      ),
  }
}

function about(workflowId: string) {
  return { kind: SpanKind.CLIENT, attributes: { 'temporal.workflow.id': workflowId } }
}
