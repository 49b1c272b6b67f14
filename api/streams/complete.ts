import type { Filter } from 'mongodb'
import { asObject } from '../../core/json.ts'
import { spanTree } from '../../core/spans.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import { inlineValue } from '../../store/objects/contents.ts'
import type { BatchDocument, ExecutionDocument, TraceDocument } from '../../store/documents.ts'
import { batchSummary } from '../views/batch-items.ts'
import { readResults } from './batch-results.ts'
import { readTraces } from './read-traces.ts'

/** Sizes at which the spans of a `complete` message and the results of a batch are truncated; together a few megabytes. */
const SPANS_BYTES = 2_097_152
const RESULTS_BYTES = 1_048_576

/** Whether messages contain the payloads of events; `none` is for clients that only draw a timeline. */
export type Payload = 'full' | 'none'

const NO_RESULTS = { results: {}, truncated: false }

/** The `complete` message of an ended execution. */
export async function executionComplete(store: Store, execution: ExecutionDocument, payload: Payload): Promise<string> {
  const { status, error } = execution
  const tree = await readTree(store, { job_id: execution._id }, payload)
  return completeMessage({ status, outputs: outputsOf(execution), error, ...tree })
}

/** The `complete` message of an ended batch. */
export async function batchComplete(store: Store, batch: BatchDocument, payload: Payload): Promise<string> {
  const { results, truncated } = payload === 'none' ? NO_RESULTS : await readResults(store, batch._id, RESULTS_BYTES)
  const tree = await readTree(store, { batch_id: batch._id }, payload)
  const outputs = { results, summary: batchSummary(batch) }
  return completeMessage({
    status: batch.status,
    outputs,
    error: null,
    ...tree,
    truncated: truncated || tree.truncated,
  })
}

function completeMessage({ truncated, ...data }: { truncated: boolean; [field: string]: unknown }): string {
  return JSON.stringify({ type: 'complete', data: truncated ? { ...data, truncated } : data })
}

function outputsOf({ status, outputs, error }: ExecutionDocument): object {
  if (status === 'canceled') return {}
  if (outputs !== null) return asObject(inlineValue(outputs))
  return status === 'failed' ? { error } : {}
}

async function readTree(
  store: Store,
  filter: Filter<TraceDocument>,
  payload: Payload,
): Promise<{ spans: object[]; truncated: boolean }> {
  if (payload === 'none') return { spans: [], truncated: false }
  const { traces, more } = await readTraces({ store, filter, afterId: 0, maxEvents: Infinity, maxBytes: SPANS_BYTES })
  return { spans: spanTree(traces), truncated: more }
}
