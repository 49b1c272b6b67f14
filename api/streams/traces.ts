import type { WebSocket } from 'ws'
import type { Dependencies } from '../dependencies.ts'
import type { Payload } from './complete.ts'
import { batchSubject, executionSubject, type Subject } from './subjects.ts'
import { TraceStream } from './trace-stream.ts'

/** The trace streams of a process: one for each execution or batch that somebody looks at. */
export interface TraceStreams {
  /**
   * Adds a client of one execution's stream.
   * @param afterId - highest trace id that the client has.
   */
  joinPrompt: (socket: WebSocket, id: string, afterId: number, payload: Payload) => Promise<void>
  joinBatch: (socket: WebSocket, id: string, afterId: number, payload: Payload) => Promise<void>
}

/** Creates the trace streams of a process: one for each execution or batch that has clients. */
export function createTraceStreams(deps: Pick<Dependencies, 'store' | 'feed' | 'log' | 'contents'>): TraceStreams {
  const streams = new Map<string, TraceStream>()
  const join = (socket: WebSocket, subject: Subject, afterId: number, payload: Payload): Promise<void> => {
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
  return {
    joinPrompt: (socket, id, afterId, payload) => join(socket, executionSubject(deps, id), afterId, payload),
    joinBatch: (socket, id, afterId, payload) => join(socket, batchSubject(deps, id), afterId, payload),
  }
}
