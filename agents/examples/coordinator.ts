// An agent that lets others work: its delegates are offered to the model as tools under their own names. What they do is
// part of the same job, and its trace shows them below this agent.
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

/** A delegate's answer is an object; the text of a model agent is its `result`. */
function answerOf(answer: unknown): string {
  const { result = answer } = (answer ?? {}) as { result?: unknown }
  return typeof result === 'string' ? result : JSON.stringify(result)
}
