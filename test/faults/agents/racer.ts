import { setTimeout as sleep } from 'node:timers/promises'

export default {
  name: 'racer',
  role: 'Racer',
  goal: 'End before the agent that it called has ended',
  run: async (
    { ms }: { ms: number },
    { callAgent }: { callAgent: (name: string, inputs: unknown) => Promise<unknown> },
  ) => {
    await Promise.race([callAgent('slow', { ms }), sleep(500)])
    return { won: true }
  },
}
