import { messageOf } from '../../core/errors.ts'
import type { Log } from '../../log.ts'
import type { Store } from '../mongodb/connect.ts'
import type { WorkerDocument } from '../documents.ts'

/** The worker processes of an installation, as one of them sees the others. */
export interface Workers {
  /** This worker's own id. */
  me: string
  /** Whether a worker lives, or may live: it counts as dead once its beat stood still for long enough before our eyes. */
  isAlive: (worker: string) => boolean
  /** Resolves when this worker has beaten for the first time. */
  first: Promise<void>
  /** Stops beating and signs off. */
  stop: () => Promise<void>
}

export interface WorkersOptions {
  store: Store
  log: Log
  worker: Omit<WorkerDocument, 'beats'>
  /** Tests shorten them. */
  beatMs?: number
  silentMs?: number
}

const BEAT_MS = 1_000
/** Workers of takes that are older than the list; forgetting them only costs another look. */
const MAX_UNKNOWN = 10_000
/** A worker whose beat stands still for this long is noticed within ten seconds, the beat and a look included. */
const SILENT_MS = 8_000

/**
 * Beats for this worker and watches the others. A worker is judged by this one's own monotonic clock, and only by looks that
 * succeeded: clocks of different machines are never compared, and while MongoDB is away nobody dies.
 */
export function watchWorkers({ store, log, worker, beatMs = BEAT_MS, silentMs = SILENT_MS }: WorkersOptions): Workers {
  const sightings = new Sightings(silentMs, beatMs)
  const { _id: me, ...fields } = worker
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const { promise: first, resolve: seen } = Promise.withResolvers<void>()

  const beat = async (): Promise<void> => {
    const startedAt = performance.now()
    try {
      await store.workers.updateOne({ _id: me }, { $inc: { beats: 1 }, $set: fields }, { upsert: true })
      const all = await store.workers.find({}, { projection: { beats: 1 } }).toArray()
      sightings.see(all, startedAt, performance.now())
      seen()
      const gone = sightings.longDead(performance.now())
      if (gone.length > 0) await store.workers.deleteMany({ $or: gone })
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'cannot renew the registration of this worker; trying again')
    }
    const pause = Math.max(0, beatMs - (performance.now() - startedAt))
    if (!stopped) timer = setTimeout(() => (beating = beat()), pause)
  }
  let beating = beat()

  return {
    me,
    first,
    isAlive: (id) => id === me || sightings.isAlive(id, performance.now()),
    async stop() {
      stopped = true
      clearTimeout(timer)
      await beating
      await store.workers.deleteOne({ _id: me }).catch(() => undefined)
    },
  }
}

/** When the beat of each worker was last seen to move. */
class Sightings {
  readonly #silentMs: number
  readonly #gapMs: number
  readonly #byWorker = new Map<string, { beats: number; movedAt: number }>()
  /** Workers that no look has found, by when they were first asked for; null once a later look missed them, too. */
  readonly #unknown = new Map<string, number | null>()
  #lookedAt: number | undefined

  constructor(silentMs: number, beatMs: number) {
    this.#silentMs = silentMs
    // Time in which nobody looked does not count: it says nothing about the others.
    this.#gapMs = 3 * beatMs
  }

  /**
   * Takes in what a look at the workers found.
   * @param startedAt - when the look was begun: what was written before, it found.
   */
  see(workers: Pick<WorkerDocument, '_id' | 'beats'>[], startedAt: number, now: number): void {
    const unseen = this.#lookedAt === undefined ? 0 : now - this.#lookedAt
    const shift = unseen > this.#gapMs ? unseen : 0
    this.#lookedAt = now
    const present = new Set(workers.map(({ _id }) => _id))
    for (const id of this.#byWorker.keys()) if (!present.has(id)) this.#byWorker.delete(id)
    for (const { _id, beats } of workers) {
      this.#unknown.delete(_id)
      const known = this.#byWorker.get(_id)
      if (known?.beats === beats) known.movedAt += shift
      else this.#byWorker.set(_id, { beats, movedAt: now })
    }
    for (const [id, askedAt] of this.#unknown) if (askedAt !== null && askedAt < startedAt) this.#unknown.set(id, null)
  }

  /** One that is not listed has signed off, or was struck off; one that has just begun may not have been seen yet. */
  isAlive(id: string, now: number): boolean {
    const known = this.#byWorker.get(id)
    if (known === undefined) {
      const askedAt = this.#unknown.get(id)
      if (askedAt === undefined) this.#remember(id, now)
      return askedAt !== null
    }
    const isLooking = this.#lookedAt !== undefined && now - this.#lookedAt <= this.#gapMs
    return !isLooking || now - known.movedAt < this.#silentMs
  }

  #remember(id: string, now: number): void {
    if (this.#unknown.size >= MAX_UNKNOWN) this.#unknown.clear()
    this.#unknown.set(id, now)
  }

  /** Workers to be struck off the list, as they were seen. */
  longDead(now: number): { _id: string; beats: number }[] {
    const limit = 10 * this.#silentMs
    return [...this.#byWorker].flatMap(([_id, { beats, movedAt }]) => (now - movedAt > limit ? [{ _id, beats }] : []))
  }
}
