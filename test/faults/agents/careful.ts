import { count } from '../../support/agents/_gate.ts'

interface Context {
  jobId: string
  callAgent: (name: string, inputs: unknown) => Promise<unknown>
}

export default {
  name: 'careful',
  role: 'Careful',
  goal: 'Use a tool that must not be tried again, and that asks an agent of another pool',
  model: 'scripted',
  tools: [
    {
      name: 'ask_far',
      description: 'Asks an agent of another pool.',
      retry: 'never',
      execute: (_arguments: unknown, { jobId, callAgent }: Context) => {
        count(jobId, 'asks')
        return callAgent('far-coder', { text: 'asked' })
      },
    },
  ],
  script: ({ results }: { results: { result?: unknown; error?: string }[] }) =>
    results.length === 0 ? { toolCalls: [{ name: 'ask_far', arguments: {} }] } : { text: JSON.stringify(results[0]) },
}
