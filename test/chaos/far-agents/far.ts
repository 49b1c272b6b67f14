import { setTimeout as sleep } from 'node:timers/promises'
import { effect } from '../agents/_effect.ts'

interface Far {
  marker: string
  /** Path of its end. */
  at: string
  ms: number
}

export default {
  name: 'far',
  role: 'Far',
  goal: 'Work in another pool',
  run: async ({ marker, at, ms }: Far, { signal }: { signal: AbortSignal }) => {
    effect(marker, at)
    await sleep(ms, undefined, { signal })
    return { far: marker }
  },
}
