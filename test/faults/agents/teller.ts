import { randomUUID } from 'node:crypto'
import { count } from '../../support/agents/_gate.ts'

export default {
  name: 'teller',
  role: 'Teller',
  goal: 'Give another answer each time it runs, and count itself',
  run: ({ text }: { text: string }, { jobId }: { jobId: string }) => {
    count(jobId, `told ${text}`)
    return { text, once: randomUUID() }
  },
}
