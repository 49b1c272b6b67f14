import { count } from '../../support/agents/_gate.ts'
import { NO_JSON } from './_no-json.ts'

export default {
  name: 'no-json-tool',
  role: 'Tool without JSON',
  goal: 'Call a tool that returns what is no JSON',
  model: 'scripted',
  tools: [
    {
      name: 'give',
      description: 'Gives what is no JSON.',
      parameters: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
      execute: ({ what }: { what: string }, { jobId }: { jobId: string }) => {
        count(jobId, what)
        return NO_JSON[what]
      },
    },
  ],
  script: ({ step, results }: { step: number; results: { error?: string }[] }) =>
    step === 0
      ? { toolCalls: Object.keys(NO_JSON).map((what) => ({ name: 'give', arguments: { what } })) }
      : { text: JSON.stringify(results.map(({ error }) => error ?? null)) },
}
