import type { Schema } from './endpoint-types.ts'
import { resumingStream, type StreamOptions, type StreamSource } from './resuming-stream.ts'
import type { SocketAddresses } from './socket-addresses.ts'

/** A system event: a trace event without its payload. */
export type SystemEvent = Schema<'TraceMessage'>['data']

/** Options of the system events stream. */
export interface EventStreamOptions extends StreamOptions {
  /** Id of a trace event; the stream starts after it instead of now. */
  after?: number | undefined
}

/** The live system events; see {@link resumingStream}. */
export async function* eventStream(
  addresses: SocketAddresses,
  newestId: () => Promise<number>,
  { after, ...options }: EventStreamOptions,
): AsyncGenerator<SystemEvent, void, undefined> {
  // Requests the current position, so that a connection that breaks before the first event continues from there.
  let position = after ?? (await newestId())
  const source: StreamSource<SystemEvent> = {
    address: () => addresses.of('/ws/events', { after: position }),
    accept: (message) => {
      const fresh = eventsOf(message).filter(({ id }) => id > position)
      position = fresh.at(-1)?.id ?? position
      return fresh
    },
    isLast: () => false,
    explainRefusal: () => addresses.check(),
    explainError: () => Promise.resolve(),
  }
  yield* resumingStream(source, options)
}

function eventsOf(message: { type: string }): SystemEvent[] {
  if (message.type === 'trace') return [(message as Schema<'TraceMessage'>).data]
  if (message.type === 'batch') return (message as Schema<'BatchMessage'>).events.map(({ data }) => data)
  return []
}
