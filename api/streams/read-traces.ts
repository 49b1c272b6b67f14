import type { Document, Filter } from 'mongodb'
import type { Store } from '../../store/mongodb/connect.ts'
import type { TraceDocument } from '../../store/documents.ts'

/** Trace events of a stream, from a position on. */
export interface Chunk {
  traces: TraceDocument[]
  /** Whether the chunk was cut off, so that there may be more. */
  more: boolean
  /** Approximate length of the spans' JSON. */
  bytes: number
}

export interface ReadOptions {
  store: Store
  filter: Filter<TraceDocument>
  projection?: Document
  afterId: number
  /** A finite number is also what the server sends at once. */
  maxEvents: number
  /** Approximate length of the spans' JSON at which the chunk is cut, after the event that reaches it. */
  maxBytes: number
}

/** Events that the server sends at once; with large payloads a few megabytes. */
const BATCH_SIZE = 50
/** What a span's JSON has beside the payload. */
const SPAN_BYTES = 400

/**
 * Reads events in the order of their ids. From the primary, which knows everything that the change stream has told;
 * majority, because what is sent to a client cannot be taken back. Nothing is left open at the server, however long the
 * client takes for a chunk.
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
