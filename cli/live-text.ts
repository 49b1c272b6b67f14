import type { DeltaEvent, SpansEvent } from '../client/index.ts'

/** Prints model output while it is generated; the event of a call completes its text. */
export class LiveText {
  /** Whether anything was printed. */
  isHeard = false
  readonly #piece: (text: string, begins: boolean) => void
  #step: string | undefined
  #text = ''

  /** @param piece - called with each part, and whether it is the first of a text. */
  constructor(piece: (text: string, begins: boolean) => void) {
    this.#piece = piece
  }

  /** The printed text of the latest call. */
  get text(): string {
    return this.#text
  }

  grow({ kind, text, step, reset }: DeltaEvent): void {
    if (kind !== 'text') return
    const begins = step !== this.#step || reset === true
    this.isHeard = true
    this.#step = step
    this.#text = begins ? text : this.#text + text
    this.#piece(text, begins)
  }

  /** Completes the text of a call. */
  end({ event_type: type, metadata, output }: SpansEvent['spans'][number]): void {
    if (type !== 'llm_usage' || metadata.step !== this.#step || typeof output?.text !== 'string') return
    const rest = output.text.startsWith(this.#text) ? output.text.slice(this.#text.length) : ''
    if (rest === '') return
    this.#text = output.text
    this.#piece(rest, false)
  }
}
