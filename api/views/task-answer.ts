import { answerStatus, taskAnswer } from '../../core/task-answer.ts'
import { inlineValue } from '../../store/objects/contents.ts'
import type { EndedTask } from './batch-tasks.ts'

/** The response of an ended task; large values are pointers. */
export function taskAnswerView(task: EndedTask) {
  const { status, outputs, error } = task
  if (status === 'canceled') return taskAnswer(task, null)
  if (outputs === null) return taskAnswer(task, status === 'failed' ? { error } : null)
  // Decided by the storage format, because the outputs of a task may look like a pointer.
  if ('pointer' in outputs) return { status: answerStatus(status), response: inlineValue(outputs) }
  return taskAnswer(task, inlineValue(outputs))
}

/** The same as JSON text, which contains the outputs exactly as stored. */
export function taskAnswerText(task: EndedTask): string {
  const { status, outputs, error } = task
  if (status === 'canceled' || outputs === null || 'pointer' in outputs) return JSON.stringify(taskAnswerView(task))
  const end = JSON.stringify(answerStatus(status))
  return `{"status":${end},"response":{"status":${end},"result":${outputs.json},"error":${JSON.stringify(error)}}}`
}
