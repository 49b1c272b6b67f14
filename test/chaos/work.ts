import { randomUUID } from 'node:crypto'
import type { Random } from './random.ts'

/** What a client may submit, and what must come of it. */
export interface Work {
  agent: string
  agents?: string[]
  /** Unique: it finds the execution again, whatever its id. */
  marker: string
  inputs: Record<string, unknown> & { marker: string }
}

const WEIGHTS = { toiler: 6, walker: 4, quick: 4, boss: 3, asker: 4, thrower: 1, napper: 0.4, chain: 2 }

/** Draws some work. */
export function drawWork(random: Random): Work {
  const agent = random.weighted(WEIGHTS)
  const marker = randomUUID()
  const toil = {
    at: '0',
    steps: random.between(1, 4),
    calls: random.between(1, 3),
    ms: random.chance(0.3) ? random.between(1_000, 12_000) : random.between(0, 700),
    bytes: random.chance(0.25) ? 25_000 : random.between(0, 200),
  }
  if (agent === 'chain') return { agent: 'walker', agents: ['walker', 'toiler'], marker, inputs: { marker, ...toil } }
  if (agent === 'asker') return { agent, marker, inputs: { marker, query: marker } }
  // Longer than what is waited for in the worker.
  if (agent === 'napper') return { agent, marker, inputs: { marker, ms: random.between(61_000, 66_000) } }
  return { agent, marker, inputs: { marker, ...toil } }
}

interface Outcome {
  status: string
  outputs: Record<string, unknown> | null
  error: string | null
}

/** What is wrong with an outcome of work that nobody canceled; undefined when it is right. */
export function wrongOutcome({ agent, agents, inputs }: Work, { status, outputs, error }: Outcome): string | undefined {
  if (agent === 'thrower') {
    return status === 'failed' && error?.includes(`thrown for ${inputs.marker}`) === true
      ? undefined
      : `failed was due: ${status}, ${error}`
  }
  if (status !== 'completed') return `it is ${status}: ${error}`
  const expected = expectedOutputs(agents?.at(-1) ?? agent, inputs)
  const got = JSON.stringify(outputs)
  return expected === undefined || got === JSON.stringify(expected) ? undefined : `its outputs are ${got.slice(0, 300)}`
}

function expectedOutputs(agent: string, inputs: Work['inputs']): unknown {
  const { marker, steps, calls, ms, bytes } = inputs
  switch (agent) {
    case 'toiler':
      return { result: `toiled ${Number(steps) * Number(calls)}` }
    case 'walker':
      return { ...inputs, at: '1', walked: 'first one two last' }
    case 'quick':
      return { quick: marker, pad: 'x'.repeat(Number(bytes)) }
    case 'asker':
      return { result: `answered ${marker}` }
    case 'napper':
      return { napped: ms }
    case 'boss':
      return { result: JSON.stringify([`toiled ${Number(steps) * Number(calls)}`, { far: marker }]) }
    default:
      return undefined
  }
}
