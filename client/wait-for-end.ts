import type { StreamOptions } from './resuming-stream.ts'
import type { CompleteEvent, TraceStreamEvent, TraceStreamOptions } from './trace-stream.ts'
import { TroupeError } from './troupe-error.ts'

/** Options of a call that waits for an end. */
export interface WaitOptions extends Pick<StreamOptions, 'signal' | 'onConnection'> {
  /** Milliseconds to wait at most; without it, as long as it takes. */
  timeoutMs?: number | undefined
}

type OpenStream = (options: TraceStreamOptions) => AsyncIterable<TraceStreamEvent>

/** Waits for `complete` on a stream that leaves out all events. @throws TroupeError when the time is over */
export async function waitForEnd(
  open: OpenStream,
  id: string,
  { timeoutMs, signal, onConnection }: WaitOptions,
): Promise<CompleteEvent> {
  const timeout = new AbortController()
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => timeout.abort(), timeoutMs)
  const signals = signal === undefined ? [timeout.signal] : [signal, timeout.signal]
  // Behind the highest id that there can be, so that only the end is sent.
  const after = Number.MAX_SAFE_INTEGER
  try {
    for await (const event of open({ after, payload: 'none', signal: AbortSignal.any(signals), onConnection })) {
      if (event.type === 'complete') return event
    }
  } catch (error) {
    if (!timeout.signal.aborted || signal?.aborted === true) throw error
    throw new TroupeError('timeout', `${id} has not ended within ${timeoutMs} ms; it goes on.`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
  throw new TroupeError('stream', `The stream of ${id} was closed before its end.`)
}
