import { count } from '../../support/agents/_gate.ts'

export default {
  name: 'noter',
  role: 'Noter',
  goal: 'Ask a provider, and note what it wants noted',
  model: 'openai-compatible/test-model',
  tools: [
    {
      name: 'note',
      description: 'Notes a word.',
      parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
      execute: ({ word }: { word: string }, { jobId }: { jobId: string }) => {
        count(jobId, word)
        return word
      },
    },
  ],
}
