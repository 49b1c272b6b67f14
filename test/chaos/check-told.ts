import { createHash } from 'node:crypto'
import type { Entry } from './journal.ts'

/** A poll of a subject, as it stands in the journal. */
interface Poll {
  from: number
  to: number
  status: string
  recorded: number
  expected: number
  digest: string
}

const FINAL = new Set(['completed', 'failed', 'canceled'])

/** What clients were told by one subject's polls, one after the other, and what must not be in it. */
export class Told {
  readonly violations: string[] = []
  readonly #polls: Poll[] = []
  readonly #id: string
  readonly #isBatch: boolean

  constructor(id: string, isBatch: boolean) {
    this.#id = id
    this.#isBatch = isBatch
  }

  /** @param body - of a good response to a GET of the subject. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  add({ from, to }: Pick<Entry, 'from' | 'to'>, body: any): void {
    const summary = body.outputs?.summary
    const poll: Poll = {
      from,
      to,
      status: String(body.status),
      recorded: this.#isBatch ? summary.recorded : 0,
      expected: this.#isBatch ? summary.total_expected : 0,
      digest: digest(this.#isBatch ? null : [body.outputs, body.error]),
    }
    if (this.#isBatch) this.#checkSummary(body)
    for (const earlier of this.#polls) if (earlier.to <= from) this.#compare(earlier, poll)
    // The latest of each kind is enough to compare with.
    this.#polls.push(poll)
    if (this.#polls.length > 30) this.#polls.splice(0, 10)
  }

  #compare(before: Poll, after: Poll): void {
    const tell = (what: string) => this.violations.push(`${this.#id} ${what}: ${JSON.stringify([before, after])}`)
    if (this.#isBatch) {
      if (after.recorded < before.recorded) tell('lost results')
      if (after.expected < before.expected) tell('lost tasks')
      if (before.status === 'canceled' && after.status !== 'canceled') tell('was canceled and is not any more')
      if (after.status === 'submitted' && before.status !== 'submitted') tell('went back to submitted')
      if (before.status === 'completed' && after.status !== 'completed' && after.expected === before.expected)
        tell('ran again by itself')
      return
    }
    if (FINAL.has(before.status) && after.status !== before.status) tell('went back')
    if (FINAL.has(before.status) && after.digest !== before.digest) tell('changed its outputs')
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  #checkSummary(body: any): void {
    const { summary, results } = body.outputs
    const { total_expected, recorded, succeeded, failed } = summary
    const statuses = Object.values(results as Record<string, { status: string }>).map(({ status }) => status)
    const good = statuses.filter((status) => status === 'success').length
    const isExact =
      recorded === succeeded + failed &&
      total_expected === body.task_count &&
      body.task_ids.length === total_expected &&
      statuses.length === recorded &&
      good === succeeded &&
      (body.status !== 'completed' || recorded === total_expected) &&
      (body.status !== 'completed' || body.completed_at !== null)
    if (isExact) return
    const numbers = { ...summary, status: body.status, task_count: body.task_count, ids: body.task_ids.length }
    this.violations.push(
      `${this.#id}: the summary is not exact: ${JSON.stringify({ ...numbers, results: statuses.length, good })}`,
    )
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)
}
