import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { count, gate } from '../../support/agents/_gate.ts'

// Answers otherwise each time it is asked the same: with as many calls as it was asked before, and one more.
export default {
  name: 'fickle',
  role: 'Fickle',
  goal: 'Never give the same answer twice',
  model: 'scripted',
  tools: [
    {
      name: 'note',
      description: 'Counts itself.',
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      execute: ({ n }: { n: number }, { jobId }: { jobId: string }) => {
        count(jobId, `note ${n}`)
        return n
      },
    },
  ],
  script: async ({ step, inputs }: { step: number; inputs: { name: string } }) => {
    if (step > 0) return { text: 'decided' }
    count(inputs.name, `asked ${process.pid}`)
    const times =
      readFileSync(join(process.env.TEST_FOLDER ?? '', `${inputs.name}.count`), 'utf8').split('\n').length - 1
    await gate(`${inputs.name}-${times}`)
    return { toolCalls: Array.from({ length: times }, (_, n) => ({ name: 'note', arguments: { n } })) }
  },
}
