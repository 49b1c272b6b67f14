import type { EndStatus, ExecutionStatus } from './execution.ts'
import { asObject } from './json.ts'

/** The final status of a task or job, in the interface's words. */
export type AnswerStatus = 'success' | 'error' | 'canceled'

const ANSWER_STATUS = { completed: 'success', failed: 'error', canceled: 'canceled' } as const

/** Converts the final status of an execution to the interface's word. */
export function answerStatus(status: EndStatus): AnswerStatus {
  return ANSWER_STATUS[status]
}

/** Whether an execution has a final status. */
export function hasEnded<Run extends { status: ExecutionStatus }>(run: Run): run is Run & { status: EndStatus } {
  return run.status !== 'running'
}

interface Ended {
  status: EndStatus
  error: string | null
}

/**
 * A task's entry in the results of a batch.
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
