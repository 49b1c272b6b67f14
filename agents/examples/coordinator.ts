// An agent that delegates its work. The model sees its delegates as tools under their own names. Their work is part of
// the same job, and the trace shows it below this agent.
import { defineAgent } from '../definition.ts'
import { asModel, materialOf } from './_material.ts'

export default defineAgent({
  name: 'coordinator',
  role: 'Coordinator',
  goal: 'Get a report on a page or a text by sharing the work out',
  instructions: `You coordinate a researcher and a writer. First give the researcher the URL, the text or the question that you got.
Then give the writer everything that the researcher found. Answer with the writer's report, unchanged.`,
  model: 'scripted',
  delegates: ['researcher', 'writer'],
  script: asModel(({ inputs, results }) => {
    const failed = results.find(({ error }) => error)
    if (failed) throw new Error(`${failed.name} failed: ${failed.error}`)
    const [notes, report] = results
    const { url, text } = materialOf(inputs)
    if (!notes) return { toolCalls: [{ name: 'researcher', arguments: { inputs: { ...(url && { url }), text } } }] }
    if (!report) return { toolCalls: [{ name: 'writer', arguments: { inputs: { text: answerOf(notes.result) } } }] }
    return { text: answerOf(report.result) }
  }),
})

/** Returns the text of a delegate's output: the output is an object, and a model agent's text is its `result`. */
function answerOf(answer: unknown): string {
  const { result = answer } = (answer ?? {}) as { result?: unknown }
  return typeof result === 'string' ? result : JSON.stringify(result)
}
