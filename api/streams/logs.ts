import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { logQuery, type LogEntry } from '../../contracts/containers.ts'
import { sentenceOf } from '../http/sentence.ts'
import { TroupeError } from '../../core/errors.ts'
import { parseSince } from '../containers/since.ts'
import type { Containers, LogOptions } from '../containers/containers.ts'
import { CLOSE, refuse } from './peer.ts'

export interface LogStreamOptions {
  socket: WebSocket
  containers: Containers
  /** Name or id of the container. */
  name: string
  /** `tail`, `since` and `timestamps`, as for GET /api/logs/containers/{container_name}. */
  query: URLSearchParams
  /** Fires when the process begins to shut down; sockets.ts then closes the sockets. */
  closing: AbortSignal
}

/** Amount of buffered data after which reading from the engine pauses until the client's socket has drained. */
const SLICE_BYTES = 16_384

/**
 * Streams a container's log to a socket: the last lines, then each new one. Reads from the engine at the pace of the client.
 * Closes the socket when the container ends, or after an error message when the log cannot be followed.
 */
export async function streamLogs({ socket, containers, name, query, closing }: LogStreamOptions): Promise<void> {
  let lines: Readable | undefined
  const isWanted = (): boolean => socket.readyState === socket.OPEN && !closing.aborted
  const release = (): void => void lines?.destroy()
  socket.once('close', release)
  closing.addEventListener('abort', release, { once: true })
  try {
    const { timestamps, ...options } = readQuery(Object.fromEntries(query))
    lines = await containers.follow(await containers.find(name), options)
    if (isWanted()) await send(socket, lines, timestamps)
    if (isWanted()) socket.close(CLOSE.done)
  } catch (error) {
    // Stops when the client leaves or the process shuts down.
    if (!isWanted()) return
    if (!(error instanceof TroupeError)) throw error
    refuse(socket, error.message)
  } finally {
    release()
    socket.off('close', release)
    closing.removeEventListener('abort', release)
  }
}

/** Parses the query; `since` without `tail` means all lines after it. @throws TroupeError bad_request */
function readQuery(query: Record<string, string>): LogOptions & { timestamps: boolean } {
  const parsed = logQuery.safeParse(query, { reportInput: true })
  if (!parsed.success) throw new TroupeError('bad_request', sentenceOf(parsed.error.issues, 'The query'))
  const { tail, since, timestamps } = parsed.data
  if (since === undefined) return { tail, since, timestamps }
  return { tail: query.tail === undefined ? undefined : tail, since: parseSince(since, new Date()), timestamps }
}

async function send(socket: WebSocket, lines: Readable, timestamps: boolean): Promise<void> {
  let sliceBytes = 0
  for await (const { timestamp, message } of lines as AsyncIterable<LogEntry>) {
    const text = JSON.stringify({ type: 'log', data: { timestamp: timestamps ? timestamp : '', message } })
    sliceBytes += text.length
    if (sliceBytes < SLICE_BYTES) {
      socket.send(text)
      continue
    }
    sliceBytes = 0
    await new Promise<void>((resolve) => socket.send(text, () => resolve()))
    await ownTurn()
  }
}

let turns: Promise<void> = Promise.resolve()

/** Waits for a turn of the event loop that no other followed log shares, so that other work never waits for more than one slice. */
function ownTurn(): Promise<void> {
  turns = turns.then(() => nextTurn())
  return turns
}
