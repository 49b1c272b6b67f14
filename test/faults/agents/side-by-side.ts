import { count, gate } from '../../support/agents/_gate.ts'

let running = 0

export default {
  name: 'side-by-side',
  role: 'Side by side',
  goal: 'Say how many of its kind ran in the same worker when it began, and wait for a gate',
  run: async ({ gate: name }: { gate: string }, { signal }: { signal: AbortSignal }) => {
    running += 1
    const atOnce = running
    count(name, 'begin')
    await gate(name, signal).finally(() => (running -= 1))
    return { atOnce }
  },
}
