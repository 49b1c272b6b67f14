import { setTimeout as sleep } from 'node:timers/promises'
import { count } from '../../support/agents/_gate.ts'

interface Context {
  jobId: string
  callAgent: (name: string, inputs: unknown) => Promise<unknown>
}

export default {
  name: 'overseer',
  role: 'Overseer',
  goal: 'Go on after the agent that it calls has failed',
  run: async (_: unknown, { jobId, callAgent }: Context) => {
    const said = await callAgent('toiler', {}).catch(({ message }: Error) => message)
    count(jobId, 'went on')
    await sleep(3_000)
    return { said }
  },
}
