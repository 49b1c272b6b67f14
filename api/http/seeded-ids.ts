import { createHash, randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** How many ids are generated in one turn of the event loop, which takes one or two milliseconds. */
const IDS_A_TURN = 1_000

/** A new random seed for one submission. */
export function newSeed(): string {
  return randomUUID()
}

/**
 * The `index`-th id of a seed, in the form of a UUIDv4. A repeated submission with the same seed generates the same ids,
 * so it finds what the first attempt created.
 */
export function idFromSeed(seed: string, index: number): string {
  const bytes = createHash('sha256').update(`${seed}/${index}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Ids of a seed in order; lets other requests run in between. @param from - index of the first id. */
export async function idsFromSeed(seed: string, from: number, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = from; index < from + count; index += 1) {
    if (ids.length > 0 && ids.length % IDS_A_TURN === 0) await nextTurn()
    ids.push(idFromSeed(seed, index))
  }
  return ids
}
