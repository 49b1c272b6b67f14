import type { ModelToolCall } from '../models/model.ts'
import type { CheckedArguments } from '../tool-parameters.ts'
import { FINAL_ANSWER } from './final-answer.ts'
import { objectsInText } from './json-in-text.ts'

/** What an agent with an `output` schema was answered, and how it was asked. */
export interface StructuredAnswer {
  text: string
  calls: ModelToolCall[]
  /** Whether {@link FINAL_ANSWER} was offered; if not, the provider's structured mode was asked for. */
  byTool: boolean
  check: (value: unknown) => CheckedArguments
  /** Repair turns that were already asked for. */
  repairs: number
  /** How many may be asked for; the agent's `outputRepairs`. */
  maxRepairs: number
}

/** What to do with an answer. */
export type Judgement =
  /** It is the output. */
  | { kind: 'output'; output: unknown; repaired: boolean }
  /** It asks for other tools first. */
  | { kind: 'calls' }
  /** It does not fit: the model is told why, and asked again. */
  | { kind: 'repair'; sentence: string; problem: string }
  /** It does not fit, and was repaired often enough: the run fails with invalid_output, and keeps `raw`. */
  | { kind: 'invalid'; problem: string; raw: string }

/** What a model is told that calls other tools beside {@link FINAL_ANSWER}. */
export const NOT_ALONE = `Not accepted: other tools were called with it. Call ${FINAL_ANSWER} alone, when you have their results.`

/**
 * Judges an answer, cheapest first: as it is, then by what of it can be read without a further call, then by one repair
 * turn in the same conversation. What does not fit is never an output.
 */
export function judgeAnswer(answer: StructuredAnswer): Judgement {
  const finals = answer.calls.filter(({ name }) => name === FINAL_ANSWER)
  if (finals.length < answer.calls.length) return { kind: 'calls' }
  const tried = finals.length > 0 ? finals.map((call) => checkCall(call, answer)) : checkText(answer)
  const found = tried.find((each) => 'value' in each)
  if (found && 'value' in found) return { kind: 'output', output: found.value, repaired: answer.repairs > 0 }
  const problem = tried.map((each) => ('problem' in each ? each.problem : '')).join('; ')
  if (answer.repairs >= answer.maxRepairs) return { kind: 'invalid', problem, raw: rawOf(answer) }
  const how = answer.byTool ? `Call ${FINAL_ANSWER} again` : 'Answer again, with the JSON object alone'
  return {
    kind: 'repair',
    sentence: `The answer does not fit: ${problem}. ${how}, with everything else as it was.`,
    problem,
  }
}

function checkCall({ arguments: args, malformed }: ModelToolCall, { check }: StructuredAnswer): CheckedArguments {
  return malformed === undefined ? check(args) : { problem: 'the arguments are no JSON object' }
}

/** The first object in the text that fits; else why the best of them does not. */
function checkText({ text, byTool, check }: StructuredAnswer): CheckedArguments[] {
  const checked = objectsInText(text).map(check)
  const best = checked.find((each) => 'value' in each) ?? checked[0]
  if (best) return [best]
  return [{ problem: byTool ? `${FINAL_ANSWER} was not called` : 'the answer is no JSON object' }]
}

function rawOf({ text, calls }: StructuredAnswer): string {
  return calls.length === 0 ? text : calls.map((call) => call.malformed ?? JSON.stringify(call.arguments)).join('\n')
}
