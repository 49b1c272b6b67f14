import { judgeAnswer } from '../../agents/structured/judge-answer.ts'
import type { LegResult } from '../../core/execution.ts'
import { repairPath } from '../../core/step-path.ts'
import { errorEvent } from '../events.ts'
import { finishAgent, finishInvalid } from './finish-agent.ts'
import type { Leg } from '../attempt/leg.ts'
import type { ModelWork } from '../records/model-work.ts'

/** Repair turns of an agent without a setting. */
const DEFAULT_REPAIRS = 1

/**
 * Validates the last response of an agent with an `output` schema. The response either ends the agent, or returns to
 * the model with the error in the same conversation. The repair is recorded, so that the conversation is the same after
 * a restart.
 * @returns the end of the leg; undefined if the agent continues.
 */
export async function judgeLast(leg: Leg, work: ModelWork, maxSteps: number): Promise<LegResult | undefined> {
  const { run, agent, summary, transcript } = work
  const { last, steps, repairs } = transcript
  if (agent.outputSchema === undefined || last === undefined) return undefined
  const { check } = agent.outputSchema
  // A repair is a step like any other, so it needs a remaining step.
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
