import { judgeAnswer } from '../../agents/structured/judge-answer.ts'
import type { LegResult } from '../../core/execution.ts'
import { repairPath } from '../../core/step-path.ts'
import { errorEvent } from '../events.ts'
import { finishAgent, finishInvalid } from './finish-agent.ts'
import type { Leg } from '../attempt/leg.ts'
import type { ModelWork } from '../records/model-work.ts'

/** Repair turns of an agent that does not say how many. */
const DEFAULT_REPAIRS = 1

/**
 * Judges the last answer of an agent with an `output`: it ends the agent, or is sent back with what is wrong, in the same
 * conversation. That it was sent back is recorded, so that the conversation stays as it was.
 * @returns how the leg ends; undefined when the agent goes on.
 */
export async function judgeLast(leg: Leg, work: ModelWork, maxSteps: number): Promise<LegResult | undefined> {
  const { run, agent, summary, transcript } = work
  const { last, steps, repairs } = transcript
  if (agent.outputSchema === undefined || last === undefined) return undefined
  const { check } = agent.outputSchema
  // The repair is a step like any other: without one left it cannot be made.
  const maxRepairs = steps + 1 < maxSteps ? (agent.outputRepairs ?? DEFAULT_REPAIRS) : 0
  const { text, calls } = last
  const judgement = judgeAnswer({ text, calls, byTool: work.tools.length > 0, check, repairs, maxRepairs })
  switch (judgement.kind) {
    case 'calls':
      return undefined
    case 'output':
      summary.repaired = judgement.repaired
      return finishAgent(leg, work, judgement.output)
    case 'invalid':
      return finishInvalid(leg, work, judgement.problem, judgement.raw)
    case 'repair': {
      const { problem, sentence } = judgement
      const error = Object.assign(new Error(`The answer does not fit: ${problem}`), { code: 'invalid_output' })
      await leg.attempt.append({
        path: `${run.path}.${repairPath(steps)}`,
        result: { json: JSON.stringify(sentence) },
        events: [errorEvent(run.agent, summary.start, error, { retryable: true })],
      })
      transcript.repaired(sentence)
      return undefined
    }
  }
}
