import { count } from '../../support/agents/_gate.ts'

const forever = () => new Promise<never>(() => undefined)

// Nobody can catch what they throw.
export default {
  name: 'stray',
  role: 'Stray',
  goal: 'Throw in a timer of plain code',
  run: async (_: unknown, { jobId }: { jobId: string }) => {
    count(jobId, `begin ${process.pid}`)
    setTimeout(() => {
      throw new Error('thrown in a timer')
    }, 100)
    await forever()
  },
}
