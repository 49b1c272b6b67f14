import { messageOf } from '../../core/errors.ts'
import type { Log } from '../../log.ts'
import type { Store } from '../mongodb/connect.ts'
import type { WorkerDocument } from '../documents.ts'

/** The worker processes of an installation from the view of one of them. */
export interface Workers {
  /** This worker's own id. */
  me: string
  /**
   * Whether a worker is alive or may be. It counts as dead once this worker has seen no new heartbeat for long enough.
   */
  isAlive: (worker: string) => boolean
  /** Resolves after this worker's first heartbeat and first read of the others. */
  first: Promise<void>
  /** Stops the heartbeats and removes the registration. */
  stop: () => Promise<void>
}

export interface WorkersOptions {
  store: Store
  log: Log
  worker: Omit<WorkerDocument, 'beats'>
  /** Shorter in tests. */
  beatMs?: number
  silentMs?: number
}

const BEAT_MS = 1_000
/**
 * Maximum number of remembered unknown workers, whose takes are older than the list. A forgotten one costs only another
 * read.
 */
const MAX_UNKNOWN = 10_000
/**
 * A worker without a new heartbeat for this long is detected within ten seconds, including the intervals of heartbeat
 * and read.
 */
const SILENT_MS = 8_000

/**
 * Sends this worker's heartbeats and watches the others. It uses only its own monotonic clock and successful reads. It
 * therefore never compares clocks of different machines, and no worker counts as dead while MongoDB is away.
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

/** The times at which each worker's heartbeat was last seen to change. */
class Sightings {
  readonly #silentMs: number
  readonly #gapMs: number
  readonly #byWorker = new Map<string, { beats: number; movedAt: number }>()
  /**
   * Workers that no read has found, with the time at which `isAlive` was first called for them; null once a later read
   * has missed them too.
   */
  readonly #unknown = new Map<string, number | null>()
  #lookedAt: number | undefined

  constructor(silentMs: number, beatMs: number) {
    this.#silentMs = silentMs
    // Periods without a read do not count, because they say nothing about other workers.
    this.#gapMs = 3 * beatMs
  }

  /**
   * Processes the result of a read of all workers.
   * @param startedAt - start of the read; it includes all earlier writes.
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

  /** A worker that is not listed has signed off or was removed. A new worker may not have been seen yet. */
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

  /** Returns the workers to remove from the list, with their last seen heartbeat. */
  longDead(now: number): { _id: string; beats: number }[] {
    const limit = 10 * this.#silentMs
    return [...this.#byWorker].flatMap(([_id, { beats, movedAt }]) => (now - movedAt > limit ? [{ _id, beats }] : []))
  }
}
