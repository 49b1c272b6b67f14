import { SpanKind } from '@opentelemetry/api'
import type { Info } from '@temporalio/activity'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { isObject } from '../core/json.ts'
import { withLogFields } from '../log-context.ts'
import { readTraceHeader } from './trace-header.ts'
import { below, inSpan } from './tracer.ts'

/** Adds log fields to every activity, and a span if its workflow is traced. */
export const observeActivities: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute: (input, next) =>
      withLogFields({ ...subject(info.activityType, input.args[0]), ...place(info) }, () => {
        // Housekeeping without a causing request would create a trace each time.
        if (readTraceHeader(input.headers) === undefined) return next(input)
        const { activityType, workflowExecution, attempt } = info
        const attributes = {
          'temporal.workflow.id': workflowExecution?.workflowId,
          'temporal.run.id': workflowExecution?.runId,
          'temporal.activity.attempt': attempt,
        }
        return below(input.headers, () =>
          inSpan(`RunActivity:${activityType}`, { kind: SpanKind.INTERNAL, attributes }, () => next(input)),
        )
      }),
  },
})

function place({ activityType, workflowExecution, attempt }: Info): Record<string, unknown> {
  return { workflow_id: workflowExecution?.workflowId, activity: activityType, attempt }
}

/** Activities whose first argument is a batch id. A string in other activities is an execution id. */
const OF_BATCHES = new Set(['planRanges', 'recordBatchStopped'])

/** The execution or batch of an activity, from its first argument. */
function subject(activity: string, argument: unknown): Record<string, unknown> {
  if (typeof argument === 'string') return { [OF_BATCHES.has(activity) ? 'batch_id' : 'job_id']: argument }
  if (!isObject(argument)) return {}
  const { job, batch } = argument
  return { job_id: job, batch_id: batch }
}
