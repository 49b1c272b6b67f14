import type { ModelDelta } from '../../agents/models/model.ts'
import { messageOf } from '../../core/errors.ts'
import type { AgentRun } from '../../core/execution.ts'
import type { Log } from '../../log.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import type { PartialDocument } from '../../store/documents.ts'
import { GrowingAnswer } from './growing-answer.ts'
import { isDuplicateKey } from '../../store/mongodb/duplicate-key.ts'
import { idRange } from '../../store/mongodb/id-range.ts'

/** A response that is being written. */
export interface LiveAnswer {
  onDelta: (delta: ModelDelta) => void
  /**
   * Ends the live text.
   * @param recorded - the step has its record, so that the live text of all attempts at it is obsolete.
   */
  end: (recorded: boolean) => void
}

/** Publishes responses to watchers while they are written. */
export interface LiveText {
  /**
   * Begins to publish a response.
   * @param step - path of the model call.
   */
  begin: (run: AgentRun, step: string) => LiveAnswer
}

const LOOK_MS = 200
/** Maximum number of documents that a process writes per second; with more to write, it writes less often. */
const MAX_WRITES_PER_SECOND = 2_500
/** Watches that were renewed at nearly the same time as the last one read are read again. */
const OVERLAP_MS = 2_000

/**
 * Creates the live text of a worker. While responses are being written, one small query five times a second finds new
 * watches, and one write adds the new text of all watched responses. An unwatched response costs no write, and a later
 * watcher receives its text from the first character. Delivery is best effort; the step's record is authoritative.
 */
export function createLiveText({ store, log }: { store: Store; log: Log }): LiveText {
  const answers = new Set<GrowingAnswer>()
  const watchedUntil = new Map<string, number>()
  const ended: string[] = []
  let timer: NodeJS.Timeout | undefined

  const look = async (): Promise<void> => {
    // Responses that began during the write have ended before anyone could see them.
    if (answers.size + ended.length === 0) {
      timer = undefined
      return
    }
    let written = 0
    try {
      await readWatches(store, watchedUntil)
      const watched = [...answers].filter((answer) => answer.isWatched(watchedUntil))
      const pieces = watched.flatMap((answer) => answer.pieces())
      written = pieces.length
      await write(store, pieces)
      for (const answer of watched) answer.written()
      await forget(store, ended.splice(0))
    } catch (error) {
      log.debug({ error: messageOf(error) }, 'cannot publish live text')
    }
    const pauseMs = Math.max(LOOK_MS, (written * 1_000) / MAX_WRITES_PER_SECOND)
    timer = setTimeout(look, pauseMs)
  }

  return {
    begin(run, step) {
      const answer = new GrowingAnswer(run, step, Date.now())
      answers.add(answer)
      timer ??= setTimeout(look, LOOK_MS)
      return {
        onDelta: (delta) => answer.add(delta),
        end(recorded) {
          answers.delete(answer)
          if (answer.isWatched(watchedUntil) || answer.wasShown) ended.push(recorded ? answer.step : answer.key)
        },
      }
    },
  }
}

async function readWatches({ watches }: Store, watchedUntil: Map<string, number>): Promise<void> {
  const now = Date.now()
  const newest = [...watchedUntil.values()].reduce((latest, until) => Math.max(latest, until), 0)
  const after = new Date(Math.max(newest - OVERLAP_MS, now))
  for await (const { _id, until } of watches.find({ until: { $gt: after } })) watchedUntil.set(_id, until.getTime())
  for (const [id, until] of watchedUntil) if (until < now) watchedUntil.delete(id)
}

async function write({ partials }: Store, pieces: PartialDocument[]): Promise<void> {
  if (pieces.length === 0) return
  await partials.insertMany(pieces, { ordered: false, writeConcern: { w: 1 } }).catch((error: unknown) => {
    // An earlier write with an unknown outcome has written some of the documents.
    if (!isDuplicateKey(error)) throw error
  })
}

async function forget({ partials }: Store, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  await partials.deleteMany({ $or: keys.map((key) => ({ _id: idRange(key) })) })
}
