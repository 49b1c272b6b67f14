import pTimeout from 'p-timeout'
import type { WebSocket } from 'ws'
import { codeOf, messageOf, TroupeError } from '../../core/errors.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Payload } from './complete.ts'
import { streamDeltas } from './deltas.ts'
import { createEventsStream } from './events.ts'
import { streamLogs } from './logs.ts'
import { CLOSE, refuse } from './peer.ts'
import { batchSubject, executionSubject, type Subject } from './subjects.ts'
import { createTraceStreams } from './traces.ts'

export type StreamKind = 'prompts' | 'batches' | 'logs' | 'events'

/** The target of a WebSocket path. */
export interface StreamPath {
  kind: StreamKind
  /** Id or name of the prompt, batch or container; empty for the events stream. */
  id: string
}

export interface StreamRoute {
  /** Waits a few seconds for the stream to become ready; false if it does not. */
  isReady: () => Promise<boolean>
  /** Serves an open socket. Never rejects; errors are sent to the client. */
  join: (socket: WebSocket, id: string, query: URLSearchParams) => Promise<void>
}

type Join = StreamRoute['join']

const PATH = /^\/ws\/(?:(prompts|batches|logs)\/([^/]+)|events)\/?$/
const READY_TIMEOUT_MS = 5_000

/**
 * Parses the path of a WebSocket.
 * @returns undefined for an unknown path.
 */
export function pathOf(pathname: string): StreamPath | undefined {
  const match = PATH.exec(pathname)
  if (match === null) return undefined
  const [, kind = 'events', id = ''] = match
  try {
    return { kind: kind as StreamKind, id: decodeURIComponent(id) }
  } catch {
    return undefined
  }
}

/** Creates the streams of a process, by kind. */
export function createRoutes(deps: Dependencies): Record<StreamKind, StreamRoute> {
  const joinTraces = createTraceStreams(deps)
  const events = createEventsStream(deps)
  const isReady = (): Promise<boolean> => isFeedReady(deps)
  const { containers, closing } = deps
  const logs: Join = (socket, name, query) => streamLogs({ socket, containers, name, query, closing })
  const traced =
    (subjectOf: (store: Store, id: string) => Subject): Join =>
    async (socket, id, query) => {
      const subject = subjectOf(deps.store, id)
      const live = deltasOf(query)
      await joinTraces(socket, subject, afterOf(query) ?? 0, payloadOf(query))
      if (live) await streamDeltas(deps, socket, subject.topic)
    }
  return {
    prompts: { isReady, join: telling(deps, traced(executionSubject)) },
    batches: { isReady, join: telling(deps, traced(batchSubject)) },
    events: { isReady, join: telling(deps, (socket, _id, query) => events.join(socket, afterOf(query))) },
    logs: { isReady: () => Promise.resolve(true), join: telling(deps, logs) },
  }
}

/** Sends an error to the client; also logs errors that the client did not cause. */
function telling({ log }: Dependencies, join: Join): Join {
  return async (socket, id, query) => {
    try {
      refuseRepeated(query)
      await join(socket, id, query)
    } catch (error) {
      if (codeOf(error) === 'bad_request') return refuse(socket, messageOf(error))
      log.error({ err: error }, 'stream failed')
      refuse(socket, 'The stream failed; try again later.', CLOSE.tryAgainLater)
    }
  }
}

/** Rejects repeated parameters as in HTTP queries, except keys. @throws TroupeError bad_request */
function refuseRepeated(query: URLSearchParams): void {
  const seen = new Set<string>()
  const repeated = [...query.keys()].find((name) => name !== 'api_key' && seen.size === seen.add(name).size)
  if (repeated !== undefined) throw new TroupeError('bad_request', `${repeated.slice(0, 100)} must be given only once.`)
}

/** The position of a client that reconnects. @throws TroupeError bad_request */
function afterOf(query: URLSearchParams): number | undefined {
  const after = query.get('after')
  if (after === null) return undefined
  const id = Number(after)
  if (!/^\d+$/.test(after) || !Number.isSafeInteger(id)) {
    throw new TroupeError('bad_request', 'after must be the id of a trace event.')
  }
  return id
}

/** Whether the client wants payloads. @throws TroupeError bad_request */
function payloadOf(query: URLSearchParams): Payload {
  const payload = query.get('payload') ?? 'full'
  if (payload === 'full' || payload === 'none') return payload
  throw new TroupeError('bad_request', 'payload must be full or none.')
}

/** Whether the client wants deltas. @throws TroupeError bad_request */
function deltasOf(query: URLSearchParams): boolean {
  const deltas = query.get('deltas') ?? 'false'
  if (deltas === 'true' || deltas === 'false') return deltas === 'true'
  throw new TroupeError('bad_request', 'deltas must be true or false.')
}

function isFeedReady({ feed }: Dependencies): Promise<boolean> {
  const ready = feed.ready().then(() => true)
  return pTimeout(ready, { milliseconds: READY_TIMEOUT_MS, fallback: () => false })
}
