import type { LiveStreamEvent, SpansEvent } from './trace-stream.ts'

/** The output of a model call while it is generated. */
export interface LiveAnswer {
  job_id: string
  agent_name: string
  /** Identifies the model call within its execution. */
  step: string
  text: string
  reasoning: string
  /** The inputs of tool calls, as incomplete JSON. */
  toolInput: string
}

const FIELDS = { text: 'text', reasoning: 'reasoning', tool_input: 'toolInput' } as const
/** Number of ended calls to remember, so that a late delta does not restart their text. */
const MAX_ENDED = 1_000

interface Call {
  attempt: number
  answer: LiveAnswer
}

/** Collects the outputs that are being generated from the events of a stream with `deltas`. */
export class LiveAnswers {
  readonly #calls = new Map<string, Call>()
  readonly #ended = new Map<string, number>()

  /** The outputs that are being generated, oldest first. */
  get all(): LiveAnswer[] {
    return [...this.#calls.values()].map(({ answer }) => answer)
  }

  /** Processes an event. @returns whether something changed */
  accept(event: LiveStreamEvent): boolean {
    if (event.type === 'delta') return this.#grow(event)
    if (event.type === 'spans') return event.spans.map((span) => this.#end(span)).includes(true)
    const wrote = this.#calls.size > 0
    this.#calls.clear()
    return wrote
  }

  #grow({
    job_id,
    agent_name,
    step,
    attempt,
    offset,
    kind,
    text,
    reset,
  }: LiveStreamEvent & { type: 'delta' }): boolean {
    const key = `${job_id}|${step}`
    if (attempt <= (this.#ended.get(key) ?? 0)) return false
    const known = this.#calls.get(key)
    // A reopened stream starts again with the first character.
    const begins = known === undefined || reset === true || offset === 0 || attempt > known.attempt
    const answer = begins ? { job_id, agent_name, step, text: '', reasoning: '', toolInput: '' } : known.answer
    const field = FIELDS[kind]
    this.#calls.set(key, { attempt, answer: { ...answer, [field]: answer[field] + text } })
    return true
  }

  /** The event of a call contains its whole output. A failed call may have no event; it ends with its agent, if that is unambiguous. */
  #end({ event_type: type, agent, metadata }: SpansEvent['spans'][number]): boolean {
    if (type !== 'llm_usage' && type !== 'task_complete') return false
    const { job_id: job, step } = metadata
    const own = [...this.#calls].filter(([, { answer }]) => answer.job_id === job && answer.agent_name === agent)
    const names = type === 'llm_usage' && step !== undefined
    const ended = own.filter(([, { answer }]) => (names ? answer.step === step : own.length === 1))
    for (const [key, { attempt }] of ended) {
      this.#calls.delete(key)
      this.#ended.set(key, attempt)
    }
    for (const key of this.#ended.keys()) {
      if (this.#ended.size <= MAX_ENDED) break
      this.#ended.delete(key)
    }
    return ended.length > 0
  }
}
