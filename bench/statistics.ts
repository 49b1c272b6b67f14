/** Statistics of a series of times in milliseconds. */
export interface Times {
  p50: number
  p95: number
  p99: number
  max: number
}

export function timesOf(values: number[]): Times {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

/** Minimum, median and maximum of the repetitions. */
export function spread(values: number[]): { min: number; median: number; max: number } {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
  return { min: sorted[0] ?? Number.NaN, median: middle, max: sorted.at(-1) ?? Number.NaN }
}

/** Runs `count` calls from `clients` concurrent clients; returns the time of each call and the total rate. */
export async function drive(
  count: number,
  clients: number,
  call: (index: number) => Promise<unknown>,
): Promise<{ times: Times; perSecond: number }> {
  let next = 0
  const values: number[] = []
  const begun = performance.now()
  const lane = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const startedAt = performance.now()
      await call(index)
      values.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: clients }, lane))
  return { times: timesOf(values), perSecond: count / ((performance.now() - begun) / 1_000) }
}

/** Alternates between the calls in rounds, so that a slow phase affects all of them; returns the times of each. */
export async function takeTurns<Name extends string>(
  rounds: number,
  calls: Record<Name, (round: number) => Promise<unknown>>,
): Promise<Record<Name, Times>> {
  const names = Object.keys(calls) as Name[]
  const values = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const startedAt = performance.now()
      await calls[name](round)
      values.get(name)?.push(performance.now() - startedAt)
    }
  }
  return Object.fromEntries(names.map((name) => [name, timesOf(values.get(name) ?? [])])) as Record<Name, Times>
}
