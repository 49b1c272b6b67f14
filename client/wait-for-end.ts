import type { StreamOptions } from './resuming-stream.ts'
import type { CompleteEvent, TraceStreamEvent, TraceStreamOptions } from './trace-stream.ts'
import { TroupeError } from './troupe-error.ts'

/** Options of a call that waits for an end. */
export interface WaitOptions extends Pick<StreamOptions, 'signal' | 'onConnection'> {
  /** Timeout in milliseconds; unlimited by default. */
  timeoutMs?: number | undefined
}

type OpenStream = (options: TraceStreamOptions) => AsyncIterable<TraceStreamEvent>

/** Waits for `complete` on a stream without events. @throws TroupeError after the timeout */
export async function waitForEnd(
  open: OpenStream,
  id: string,
  { timeoutMs, signal, onConnection }: WaitOptions,
): Promise<CompleteEvent> {
  const timeout = new AbortController()
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => timeout.abort(), timeoutMs)
  const signals = signal === undefined ? [timeout.signal] : [signal, timeout.signal]
  // After the highest possible id, so that only the end is sent.
  const after = Number.MAX_SAFE_INTEGER
  try {
    for await (const event of open({ after, payload: 'none', signal: AbortSignal.any(signals), onConnection })) {
      if (event.type === 'complete') return event
    }
  } catch (error) {
    if (!timeout.signal.aborted || signal?.aborted === true) throw error
    throw new TroupeError('timeout', `${id} did not end within ${timeoutMs} ms; it continues.`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
  throw new TroupeError('stream', `The stream of ${id} was closed before its end.`)
}
