import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Message } from '../streams/client.ts'
import type { Caller } from './http.ts'
import { now } from './journal.ts'
import type { Subject } from './subject.ts'

interface Seen {
  ids: Set<number>
  highest: number
  /** Status of the first `complete`. */
  complete: string | undefined
  violations: string[]
}

const AFTER_COMPLETE_MS = 1_500

/**
 * Follows a subject to its end, over every interruption and some of its own, and writes down what it was sent.
 * @returns what a stream must not do
 */
export async function watchSubject(caller: Caller, subject: Subject, signal: AbortSignal): Promise<string[]> {
  const { random, journal, who } = caller
  const from = now()
  const seen: Seen = { ids: new Set(), highest: 0, complete: undefined, violations: [] }
  const path = `/ws/${subject.kind === 'batch' ? 'batches' : 'prompts'}/${subject.id}`
  let connections = 0
  let isGone = false
  while (seen.complete === undefined && !signal.aborted && !isGone) {
    connections += 1
    const after = seen.highest === 0 ? '' : `?after=${seen.highest}`
    const leaveMs = random.chance(0.5) ? random.between(50, 5_000) : 600_000
    isGone = await connect(
      new WebSocket(`${random.pick(caller.urls).replace('http', 'ws')}${path}${after}`, {
        handshakeTimeout: 10_000,
        headers: caller.headers,
      }),
      subject,
      seen,
      leaveMs,
      signal,
    )
    if (seen.complete === undefined && !isGone) await sleep(random.between(50, 500))
  }
  const { complete, violations } = seen
  journal.add({
    from,
    to: now(),
    who,
    what: 'stream',
    id: subject.id,
    kind: subject.kind,
    complete,
    connections,
    ids: [...seen.ids],
  })
  return violations.map((violation) => `${path}: ${violation}`)
}

/** One connection, until it ends or the subject is complete. Gives whether the subject is gone. */
function connect(
  socket: WebSocket,
  subject: Subject,
  seen: Seen,
  leaveMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const after = seen.highest
  let isGone = false
  let last = after
  const leave = () => socket.terminate()
  const timer = setTimeout(leave, leaveMs)
  // A half-open connection: the service pings every 30 s.
  let silence = setTimeout(leave, 45_000)
  const alive = () => {
    clearTimeout(silence)
    silence = setTimeout(leave, 45_000)
  }
  signal.addEventListener('abort', leave)
  socket.on('ping', alive)
  socket.on('error', () => undefined)
  socket.on('message', (data: Buffer) => {
    alive()
    const { type, data: content } = JSON.parse(data.toString()) as Message
    if (type === 'error') isGone = true
    if (type === 'traces') {
      const isOver = seen.complete !== undefined && subject.kind !== 'batch'
      if (isOver) seen.violations.push('events came after complete')
      for (const { id } of content.spans) {
        if (seen.ids.has(id)) seen.violations.push(`the event ${id} came twice`)
        if (id <= after) seen.violations.push(`the event ${id} came although ${after} was known`)
        if (subject.kind !== 'batch' && id <= last) seen.violations.push(`the event ${id} came after ${last}`)
        seen.ids.add(id)
        last = id
      }
      seen.highest = Math.max(seen.highest, ...content.spans.map(({ id }) => id))
    }
    if (type === 'complete') {
      if (seen.complete !== undefined && subject.kind !== 'batch') seen.violations.push('complete came twice')
      seen.complete = content.status
      setTimeout(leave, AFTER_COMPLETE_MS)
    }
  })
  return new Promise((resolve) => {
    socket.once('close', () => {
      clearTimeout(timer)
      clearTimeout(silence)
      signal.removeEventListener('abort', leave)
      resolve(isGone)
    })
  })
}
