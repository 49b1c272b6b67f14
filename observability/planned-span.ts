import type { TraceParent } from './trace-header.ts'

/** A span that workflow code describes when it is over; the worker makes it outside of the sandbox. */
export interface PlannedSpan extends TraceParent {
  name: string
  parentSpanId: string
  /** Ms since the epoch, by the workflow's clock. */
  startMs: number
  endMs: number
  attributes: Record<string, string | number>
  /** What went wrong, in lower snake case. */
  error?: string
}

const FNV_OFFSET = 0xcbf29ce484222325n
const FNV_PRIME = 0x100000001b3n

/**
 * The id of a span that has to be known before it is made, and again in every replay: derived from what it stands for
 * (FNV-1a, 64 bits), as workflow code has no randomness to spare.
 */
export function plannedSpanId(subject: string): string {
  let hash = FNV_OFFSET
  for (const byte of new TextEncoder().encode(subject)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME)
  return hash.toString(16).padStart(16, '0')
}
