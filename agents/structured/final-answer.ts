import type { JsonSchema } from '../definition.ts'
import type { OfferedTool } from '../models/model.ts'

/** The tool that returns the structured output of a model that has other tools. */
export const FINAL_ANSWER = 'final_answer'

/** {@link FINAL_ANSWER} as the model sees it. Its arguments are the agent's output. */
export function finalAnswerTool(schema: JsonSchema): OfferedTool {
  return {
    name: FINAL_ANSWER,
    description: 'Gives the final answer and ends the task. Call it alone, when no other tool is needed any more.',
    parameters: schema,
    strict: true,
  }
}
