import { createWriteStream } from 'node:fs'
import { once } from 'node:events'

/** What somebody saw or did. Times are of the machine's monotonic clock, in milliseconds. */
export interface Entry {
  /** When it began and ended. */
  from: number
  to: number
  who: string
  what: string
  [field: string]: unknown
}

/** An append-only record of a run: in memory for the checks, in a file for people. */
export class Journal {
  readonly entries: Entry[] = []
  readonly #file

  constructor(path: string) {
    this.#file = createWriteStream(path, { flags: 'a' })
  }

  add(entry: Entry): void {
    this.entries.push(entry)
    this.#file.write(`${JSON.stringify(entry)}\n`)
  }

  async close(): Promise<void> {
    this.#file.end()
    await once(this.#file, 'close')
  }
}

/** Now, by the machine's monotonic clock. */
export function now(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000
}
