import type { EndStatus, ExecutionStatus } from './execution.ts'
import { asObject } from './json.ts'

/** How a task or job ended, in the words of its submitter. */
export type AnswerStatus = 'success' | 'error' | 'canceled'

const ANSWER_STATUS = { completed: 'success', failed: 'error', canceled: 'canceled' } as const

/** The submitter's word for the final status of an execution. */
export function answerStatus(status: EndStatus): AnswerStatus {
  return ANSWER_STATUS[status]
}

/** Whether an execution has its final status. */
export function hasEnded<Run extends { status: ExecutionStatus }>(run: Run): run is Run & { status: EndStatus } {
  return run.status !== 'running'
}

interface Ended {
  status: EndStatus
  error: string | null
}

/**
 * A task's entry in a batch's results.
 * @param outputs - the outputs, or null.
 */
export function taskAnswer(
  { status: end, error }: Ended,
  outputs: unknown,
): { status: AnswerStatus; response: Record<string, unknown> } {
  const status = answerStatus(end)
  const result = outputs === null ? null : asObject(outputs)
  return { status, response: { status, result, error } }
}
