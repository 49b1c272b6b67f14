import { count, gate } from './_gate.ts'

// Three model calls and four tool calls, two and two of them in parallel. Every single step first waits for its gate, which is
// named after its number, and then counts itself: a test opens one gate after the other and kills in between.
const tool = (name: string) => ({
  name,
  description: `Counts ${name}.`,
  parameters: { type: 'object', properties: { step: { type: 'number' } }, required: ['step'] },
  execute: async ({ step }: { step: number }, { jobId, signal }: { jobId: string; signal: AbortSignal }) => {
    await gate(`${jobId}-${step}`, signal)
    count(jobId, `tool ${step}`)
    return { step }
  },
})

const answers = [
  {
    number: 1,
    answer: {
      toolCalls: [
        { name: 'one', arguments: { step: 2 } },
        { name: 'two', arguments: { step: 3 } },
      ],
    },
  },
  {
    number: 4,
    answer: {
      toolCalls: [
        { name: 'three', arguments: { step: 5 } },
        { name: 'one', arguments: { step: 6 } },
      ],
    },
  },
  { number: 7, answer: { text: 'all steps made' } },
]

export default {
  name: 'stepper',
  role: 'Stepper',
  goal: 'Make seven steps that can be told apart',
  model: 'scripted',
  tools: [tool('one'), tool('two'), tool('three')],
  script: async ({ step, inputs }: { step: number; inputs: { job?: string } }) => {
    const { number, answer } = answers[step] ?? answers[2]!
    if (inputs.job !== undefined) {
      await gate(`${inputs.job}-${number}`)
      count(inputs.job, `model ${number}`)
    }
    return { ...answer, usage: { prompt_tokens: 10, completion_tokens: 2 } }
  },
}
