import { readFileSync } from 'node:fs'

/** Resident and proportional memory (shared pages counted by share), in MB. */
export interface Memory {
  rss: number
  pss: number
}

const NOTHING: Memory = { rss: 0, pss: 0 }

/** The current memory of a process; Linux only. */
export function memoryOf(pid: number): Memory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const megabytes = (field: string): number =>
    (Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1]) * 1_024) / 1e6
  return { rss: megabytes('Rss'), pss: megabytes('Pss') }
}

/** Watches processes, which may restart, and records the peak memory of each and of all together. */
export class MemoryWatch {
  readonly #pids: () => Record<string, number | undefined>
  readonly #timer: NodeJS.Timeout
  #most: Record<string, Memory> = {}

  constructor(pids: () => Record<string, number | undefined>, everyMs = 250) {
    this.#pids = pids
    this.#timer = setInterval(() => this.#look(), everyMs)
  }

  /** The peaks since the last call, by name and `together`. */
  take(): Record<string, Memory> {
    this.#look()
    const most = this.#most
    this.#most = {}
    return most
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = Object.entries(this.#pids()).map(
      ([name, pid]) => [name, pid === undefined ? NOTHING : look(pid)] as const,
    )
    const together = now.reduce((sum, [, { rss, pss }]) => ({ rss: sum.rss + rss, pss: sum.pss + pss }), NOTHING)
    for (const [name, { rss, pss }] of [...now, ['together', together] as const]) {
      const before = this.#most[name] ?? NOTHING
      this.#most[name] = { rss: Math.max(before.rss, rss), pss: Math.max(before.pss, pss) }
    }
  }
}

function look(pid: number): Memory {
  try {
    return memoryOf(pid)
  } catch {
    // The process has just ended.
    return NOTHING
  }
}
