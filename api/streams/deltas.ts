import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { messageOf } from '../../core/errors.ts'
import type { PartialDocument } from '../../store/documents.ts'
import { idRange } from '../../store/mongodb/id-range.ts'
import { keepWatching, type WatchTopic } from '../../store/feed/watches.ts'
import type { Dependencies } from '../dependencies.ts'
import { deltaMessage } from './messages.ts'
import { Peer } from './peer.ts'

type DeltaDependencies = Pick<Dependencies, 'store' | 'feed' | 'log'>

/** Maximum number of concurrent reads of deltas. */
const MAX_KNOWN_STEPS = 10_000
const RETRY_MS = 1_000

/**
 * Streams model output while it is generated to one client until its socket closes: first the existing text, then new deltas.
 * Workers write deltas only while a client watches. A delta may be sent twice; its attempt and offset identify duplicates.
 */
export async function streamDeltas(deps: DeltaDependencies, socket: WebSocket, topic: WatchTopic): Promise<void> {
  const peer = new Peer(socket, 0)
  // The client left while it received the existing text.
  if (!peer.isOpen) return
  const attempts = new Map<string, number>()
  const send = (partial: PartialDocument): void => {
    const step = `${partial.job_id}|${partial.step}`
    const before = attempts.get(step)
    // Deltas that a dead worker left are older than those of its successor.
    if (before !== undefined && before > partial.attempt) return
    if (attempts.size >= MAX_KNOWN_STEPS) attempts.clear()
    attempts.set(step, partial.attempt)
    peer.send(Buffer.from(deltaMessage(partial, before !== undefined && before !== partial.attempt)))
  }
  // New deltas wait until the existing text has been sent, so that each client receives them in order.
  let waiting: PartialDocument[] | undefined = []
  const catchUp = async (): Promise<void> => {
    const missed: PartialDocument[] = (waiting = [])
    await sendPast(deps, peer, topic, send, () => waiting === missed)
    // A gap in the meantime has started another read, which covers what this one missed.
    if (waiting !== missed) return
    waiting = undefined
    for (const partial of missed) send(partial)
  }
  const unsubscribe = deps.feed.subscribe(topic, {
    onPartial: (partial) => (waiting === undefined ? send(partial) : void waiting.push(partial)),
    onGap: () => void catchUp(),
  })
  const stop = keepWatching(deps.store, topic)
  socket.once('close', () => {
    stop()
    unsubscribe()
  })
  await catchUp()
}

async function sendPast(
  { store, log }: DeltaDependencies,
  peer: Peer,
  topic: WatchTopic,
  send: (partial: PartialDocument) => void,
  isWanted: () => boolean,
): Promise<void> {
  const filter = 'job' in topic ? { _id: idRange(`${topic.job}|`) } : { batch_id: topic.batch }
  while (peer.isOpen && isWanted()) {
    try {
      for await (const partial of store.partials.find(filter, { readPreference: 'primary' }).sort({ _id: 1 })) {
        if (!peer.isOpen || !isWanted()) return
        send(partial)
      }
      return
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'cannot read stored deltas; retrying')
      await sleep(RETRY_MS)
    }
  }
}
