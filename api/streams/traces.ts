import type { WebSocket } from 'ws'
import type { Dependencies } from '../dependencies.ts'
import type { Payload } from './complete.ts'
import type { Subject } from './subjects.ts'
import { TraceStream } from './trace-stream.ts'

/**
 * Adds a client of the trace stream of one execution or batch.
 * @param afterId - highest trace id that the client has received.
 */
export type JoinTraces = (socket: WebSocket, subject: Subject, afterId: number, payload: Payload) => Promise<void>

/** Creates the trace streams of a process: one for each execution or batch with clients. */
export function createTraceStreams(deps: Pick<Dependencies, 'store' | 'feed' | 'log'>): JoinTraces {
  const streams = new Map<string, TraceStream>()
  return (socket, subject, afterId, payload) => {
    const key = `${subject.kind}/${payload}/${subject.id}`
    let stream = streams.get(key)
    if (stream === undefined) {
      const created = new TraceStream({
        deps,
        subject,
        payload,
        onEmpty: () => {
          if (streams.get(key) === created) streams.delete(key)
        },
      })
      streams.set(key, (stream = created))
    }
    return stream.join(socket, afterId)
  }
}
