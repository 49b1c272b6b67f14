/**
 * Why an attempt has to stop:
 * - `canceled`: somebody canceled the execution
 * - `overtaken`: another attempt holds the run, or the execution has ended otherwise
 * - `given_up`: Temporal or the worker wants it to be run elsewhere or later
 * - `stray_error`: code of the agent threw where nobody could catch it
 */
export type StopKind = 'canceled' | 'overtaken' | 'given_up' | 'stray_error'

/** The reason of the AbortSignal of an attempt. */
export class Stop extends Error {
  readonly kind: StopKind

  constructor(kind: StopKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Stop'
    this.kind = kind
  }
}

/** Why a signal has fired; undefined when it has not. */
export function stopOf(signal: AbortSignal): Stop | undefined {
  if (!signal.aborted) return undefined
  return signal.reason instanceof Stop ? signal.reason : new Stop('given_up', String(signal.reason))
}

/** Whether what was stopped still holds its run, and a model call that was under way records what it has used. */
export function mayTellWhatItUsed(signal: AbortSignal): boolean {
  const kind = stopOf(signal)?.kind
  return kind === 'canceled' || kind === 'given_up'
}
