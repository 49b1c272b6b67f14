import type { Document, Filter } from 'mongodb'
import type { Store } from '../../store/mongodb/connect.ts'
import type { TraceDocument } from '../../store/documents.ts'

/** A chunk of the trace events of a stream. */
export interface Chunk {
  traces: TraceDocument[]
  /** Whether the chunk was truncated, so that there may be more events. */
  more: boolean
  /** Approximate length of the spans' JSON. */
  bytes: number
}

export interface ReadOptions {
  store: Store
  filter: Filter<TraceDocument>
  projection?: Document
  afterId: number
  /** Maximum number of events; a finite value is also the batch size of the query. */
  maxEvents: number
  /** Approximate length of the spans' JSON after which the chunk is truncated. */
  maxBytes: number
}

/** Number of events in one reply of the server; with large payloads a few megabytes. */
const BATCH_SIZE = 50
/** Approximate length of a span's JSON without its payload. */
const SPAN_BYTES = 400

/**
 * Reads events in the order of their ids. Reads from the primary, which has all events that the change stream has reported,
 * and with majority, because sent events cannot be withdrawn. Leaves no cursor open while the client receives the chunk.
 */
export async function readTraces(options: ReadOptions): Promise<Chunk> {
  const { store, filter, projection, afterId, maxEvents, maxBytes } = options
  const cursor = store.traces
    .find({ ...filter, _id: { $gt: afterId } }, { readConcern: 'majority', readPreference: 'primary', projection })
    .sort({ _id: 1 })
    .limit(Number.isFinite(maxEvents) ? maxEvents : 0)
    .batchSize(Number.isFinite(maxEvents) ? maxEvents : BATCH_SIZE)
  const traces: TraceDocument[] = []
  let bytes = 0
  for await (const trace of cursor) {
    traces.push(trace)
    bytes += SPAN_BYTES + Buffer.byteLength(trace.payload ?? '')
    if (traces.length >= maxEvents || bytes >= maxBytes) return { traces, more: true, bytes }
  }
  return { traces, more: false, bytes }
}
