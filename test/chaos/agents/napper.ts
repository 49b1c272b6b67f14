import { effect } from './_effect.ts'

interface Nap {
  marker: string
  ms: number
}

export default {
  name: 'napper',
  role: 'Napper',
  goal: 'Wait so long that the run is let go',
  run: async ({ marker, ms }: Nap, { sleep }: { sleep: (durationMs: number) => Promise<void> }) => {
    await sleep(ms)
    effect(marker, 'end')
    return { napped: ms }
  },
}
