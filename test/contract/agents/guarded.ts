import { count } from '../../support/agents/_gate.ts'

type Context = { jobId: string; step: (name: string, work: () => unknown) => Promise<unknown> }

/** A scripted model whose checks count themselves. */
export default {
  name: 'guarded',
  role: 'Guarded',
  goal: 'Say what it is told',
  model: 'scripted',
  outputRepairs: 2,
  output: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  checkInput: async ({ refuse }: { refuse?: unknown }, { jobId, step }: Context) => {
    await step('look', () => count(jobId, 'input'))
    if (refuse === 'throw') throw new Error('The list of bad words is lost.')
    return refuse ?? true
  },
  checkOutput: ({ word }: { word: string }, { jobId }: Context) => {
    count(jobId, 'output')
    return word === 'bad' ? 'Bad words are not said.' : true
  },
  script: ({ inputs, step }: { inputs: { words: string[] }; step: number }) => ({
    text: inputs.words[step] ?? 'nothing',
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  }),
}
