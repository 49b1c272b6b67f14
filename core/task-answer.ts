import { asObject } from './json.ts'

/** How a task or job ended, in the words of its submitter. */
export type AnswerStatus = 'success' | 'error' | 'canceled'

const END_STATUS = { completed: 'success', failed: 'error', canceled: 'canceled' } as const

/** The submitter's word for the final status of an execution. */
export function endStatus(status: keyof typeof END_STATUS): AnswerStatus {
  return END_STATUS[status]
}

/** Whether a status is final. */
export function hasEnded<Status extends string>(status: Status): status is Exclude<Status, 'running'> {
  return status !== 'running'
}

interface Ended {
  status: keyof typeof END_STATUS
  error: string | null
}

/**
 * A task's entry in a batch's results.
 * @param outputs - the outputs, or null.
 */
export function taskAnswer(
  { status, error }: Ended,
  outputs: unknown,
): { status: AnswerStatus; response: Record<string, unknown> } {
  const end = endStatus(status)
  const result = outputs === null ? null : asObject(outputs)
  return { status: end, response: { status: end, result, error } }
}
