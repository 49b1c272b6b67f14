/**
 * The reason why an attempt must stop:
 * - `canceled`: the execution was canceled
 * - `overtaken`: another attempt holds the run, or the execution has ended otherwise
 * - `given_up`: the run must continue elsewhere or later, because Temporal or the worker requires it
 * - `stray_error`: the agent's code threw an uncaught error
 */
export type StopKind = 'canceled' | 'overtaken' | 'given_up' | 'stray_error'

/** The reason in an attempt's AbortSignal. */
export class Stop extends Error {
  readonly kind: StopKind

  constructor(kind: StopKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Stop'
    this.kind = kind
  }
}

/** The reason why a signal fired; undefined if it did not. */
export function stopOf(signal: AbortSignal): Stop | undefined {
  if (!signal.aborted) return undefined
  return signal.reason instanceof Stop ? signal.reason : new Stop('given_up', String(signal.reason))
}

/** Whether stopped work still holds its run, so that a pending model call records its usage. */
export function mayTellWhatItUsed(signal: AbortSignal): boolean {
  const kind = stopOf(signal)?.kind
  return kind === 'canceled' || kind === 'given_up'
}
