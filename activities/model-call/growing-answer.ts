import type { ModelDelta } from '../../agents/models/model.ts'
import type { AgentRun } from '../../core/execution.ts'
import type { PartialDocument } from '../../store/documents.ts'
import { watchId } from '../../store/feed/watches.ts'

const MAX_PIECE_CHARACTERS = 16_384

/** A response that is being written, and how much of it was published. */
export class GrowingAnswer {
  /** Prefixes of the keys of all pieces of the step, and of this attempt's pieces. */
  readonly step: string
  readonly key: string
  wasShown = false
  readonly #run: AgentRun
  readonly #path: string
  readonly #attempt: number
  /** Unpublished parts. */
  #parts: ModelDelta[] = []
  /** Number of parts that are currently being written; these no longer change. */
  #leaving = 0
  /** Number of characters before the parts. */
  #offset = 0

  constructor(run: AgentRun, path: string, attempt: number) {
    this.#run = run
    this.#path = path
    this.#attempt = attempt
    this.step = `${run.job}|${path}|`
    this.key = `${this.step}${attempt}|`
  }

  /**
   * Whether anyone is watching.
   * @param watchedUntil - expiry of the watches by key, in ms since the epoch.
   */
  isWatched(watchedUntil: ReadonlyMap<string, number>): boolean {
    const { job, batch } = this.#run
    const topics = batch === undefined ? [{ job }] : [{ job }, { batch }]
    return topics.some((topic) => (watchedUntil.get(watchId(topic)) ?? 0) > Date.now())
  }

  add({ kind, text }: ModelDelta): void {
    if (text === '') return
    const last = this.#parts.length > this.#leaving ? this.#parts.at(-1) : undefined
    if (last?.kind === kind && last.text.length < MAX_PIECE_CHARACTERS) last.text += text
    else this.#parts.push({ kind, text })
  }

  /** The pieces to write now. Half of a surrogate pair waits for the other half. */
  pieces(): PartialDocument[] {
    const { job, batch, agent } = this.#run
    const end = this.#parts.length - (endsWithinCharacter(this.#parts.at(-1)?.text ?? '') ? 1 : 0)
    this.#leaving = end
    let offset = this.#offset
    return this.#parts.slice(0, end).map(({ kind, text }) => {
      const piece: PartialDocument = {
        _id: `${this.key}${String(offset).padStart(9, '0')}`,
        job_id: job,
        batch_id: batch,
        agent_name: agent,
        step: this.#path,
        attempt: this.#attempt,
        offset,
        kind,
        text,
        at: new Date(),
      }
      offset += text.length
      return piece
    })
  }

  /** Marks the last returned pieces as written. */
  written(): void {
    const gone = this.#parts.splice(0, this.#leaving)
    this.#leaving = 0
    this.#offset += gone.reduce((sum, { text }) => sum + text.length, 0)
    this.wasShown ||= gone.length > 0
  }
}

function endsWithinCharacter(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd8_00 && last <= 0xdb_ff
}
