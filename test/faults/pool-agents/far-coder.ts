import { count } from '../../support/agents/_gate.ts'

export default {
  name: 'far-coder',
  role: 'Far coder',
  goal: 'Run plain code in a pool of its own',
  run: ({ text }: { text: string }, { jobId }: { jobId: string }) => {
    count(jobId, `far ${process.pid}`)
    return { text: `far ${text}` }
  },
}
