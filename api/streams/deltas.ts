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

/** Those that wait for pieces while an earlier piece of their answer is being read are few. */
const MAX_KNOWN_STEPS = 10_000
const RETRY_MS = 1_000

/**
 * Answers while they are written, to one client for as long as its socket is open: what there is of them, then what comes.
 * While it is there, workers write them. A piece may come twice; its attempt and offset say so.
 */
export async function streamDeltas(deps: DeltaDependencies, socket: WebSocket, topic: WatchTopic): Promise<void> {
  const peer = new Peer(socket, 0)
  // It left while it was sent the past.
  if (!peer.isOpen) return
  const attempts = new Map<string, number>()
  const send = (partial: PartialDocument): void => {
    const step = `${partial.job_id}|${partial.step}`
    const before = attempts.get(step)
    // What a worker left that died is older than what its successor writes.
    if (before !== undefined && before > partial.attempt) return
    if (attempts.size >= MAX_KNOWN_STEPS) attempts.clear()
    attempts.set(step, partial.attempt)
    peer.send(Buffer.from(deltaMessage(partial, before !== undefined && before !== partial.attempt)))
  }
  // Pieces that come while the past is being read wait for it: each client gets them in their order.
  let waiting: PartialDocument[] | undefined = []
  const catchUp = async (): Promise<void> => {
    const missed: PartialDocument[] = (waiting = [])
    await sendPast(deps, peer, topic, send, () => waiting === missed)
    // A gap since then has begun a reading of its own, which sees what this one missed.
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
      log.warn({ error: messageOf(error) }, 'cannot read answers that are being written; trying again')
      await sleep(RETRY_MS)
    }
  }
}
