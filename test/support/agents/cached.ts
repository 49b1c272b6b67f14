import { count } from './_gate.ts'

export default {
  name: 'cached',
  role: 'Cached',
  goal: 'Answer from the cache the second time',
  model: 'scripted',
  cache: true,
  tools: [
    {
      name: 'look_up',
      description: 'Looks something up.',
      cache: { ttlSeconds: 60 },
      parameters: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
      execute: ({ key }: { key: string }, { jobId }: { jobId: string }) => {
        count(jobId, `look_up ${key}`)
        return { key, found: true }
      },
    },
  ],
  script: ({ step, inputs }: { step: number; inputs: { key: string; job?: string } }) => ({
    ...(step === 0 ? { toolCalls: [{ name: 'look_up', arguments: { key: inputs.key } }] } : { text: 'found' }),
    usage: { prompt_tokens: 5, completion_tokens: 5 },
  }),
}
