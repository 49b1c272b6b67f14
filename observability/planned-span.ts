import type { TraceParent } from './trace-header.ts'

/** A finished span that workflow code describes; the worker creates it outside of the sandbox. */
export interface PlannedSpan extends TraceParent {
  name: string
  parentSpanId: string
  /** In ms since the epoch, by the workflow's clock. */
  startMs: number
  endMs: number
  attributes: Record<string, string | number>
  /** The kind of error, in lower snake case. */
  error?: string
}

const FNV_OFFSET = 0xcbf29ce484222325n
const FNV_PRIME = 0x100000001b3n

/**
 * Derives the id of a span that must be known before the span is created, and again in every replay. It hashes the
 * span's identity (FNV-1a, 64 bits), because workflow code must not use extra randomness.
 */
export function plannedSpanId(subject: string): string {
  let hash = FNV_OFFSET
  for (const byte of new TextEncoder().encode(subject)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME)
  return hash.toString(16).padStart(16, '0')
}
