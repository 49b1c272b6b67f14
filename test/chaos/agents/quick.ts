import { setTimeout as sleep } from 'node:timers/promises'
import { effect } from './_effect.ts'

interface Quick {
  marker?: string
  message?: string
  ms?: number
  bytes?: number
}

export default {
  name: 'quick',
  role: 'Quick',
  goal: 'Give back what it was told',
  run: async ({ marker, message, ms = 0, bytes = 0 }: Quick, { signal }: { signal: AbortSignal }) => {
    const name = marker ?? message ?? ''
    effect(name, 'end')
    if (ms > 0) await sleep(ms, undefined, { signal })
    return { quick: name, pad: 'x'.repeat(bytes) }
  },
}
