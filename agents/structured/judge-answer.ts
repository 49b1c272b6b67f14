import type { ModelToolCall } from '../models/model.ts'
import type { CheckedArguments } from '../tool-parameters.ts'
import { FINAL_ANSWER } from './final-answer.ts'
import { objectsInText } from './json-in-text.ts'

/** The response to an agent with an `output` schema, and how it was requested. */
export interface StructuredAnswer {
  text: string
  calls: ModelToolCall[]
  /** Whether {@link FINAL_ANSWER} was offered; if not, the request used the provider's structured mode. */
  byTool: boolean
  check: (value: unknown) => CheckedArguments
  /** Number of repair turns so far. */
  repairs: number
  /** Maximum number of repair turns; the agent's `outputRepairs`. */
  maxRepairs: number
}

/** How to continue after a response. */
export type Judgement =
  /** The response is the output. */
  | { kind: 'output'; output: unknown; repaired: boolean }
  /** The response calls other tools first. */
  | { kind: 'calls' }
  /** The response does not fit; the model is told why and asked again. */
  | { kind: 'repair'; sentence: string; problem: string }
  /** The response does not fit, and no repairs are left: the run fails with invalid_output and keeps `raw`. */
  | { kind: 'invalid'; problem: string; raw: string }

/** Tool result for a call of {@link FINAL_ANSWER} that was made together with other tools. */
export const NOT_ALONE = `Not accepted: other tools were called with it. Call ${FINAL_ANSWER} alone, when you have their results.`

/**
 * Judges a response in order of cost: as it is, then by parsing JSON out of its text, then by a repair turn in the same
 * conversation. A value that does not fit is never an output.
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

/** Returns the first object in the text that fits; otherwise the problem of the most likely one. */
function checkText({ text, byTool, check }: StructuredAnswer): CheckedArguments[] {
  const checked = objectsInText(text).map(check)
  const best = checked.find((each) => 'value' in each) ?? checked[0]
  if (best) return [best]
  return [{ problem: byTool ? `${FINAL_ANSWER} was not called` : 'the answer is no JSON object' }]
}

function rawOf({ text, calls }: StructuredAnswer): string {
  return calls.length === 0 ? text : calls.map((call) => call.malformed ?? JSON.stringify(call.arguments)).join('\n')
}
