import { answerStatus, taskAnswer } from '../../core/task-answer.ts'
import { inlineValue } from '../../store/objects/contents.ts'
import type { EndedTask } from './batch-tasks.ts'

/** An ended task's answer; what is large in it is a pointer. */
export function taskAnswerView(task: EndedTask) {
  const { status, outputs, error } = task
  if (status === 'canceled') return taskAnswer(task, null)
  if (outputs === null) return taskAnswer(task, status === 'failed' ? { error } : null)
  // Told by how they are stored: outputs of a task's own may look like what stands for them.
  if ('pointer' in outputs) return { status: answerStatus(status), response: inlineValue(outputs) }
  return taskAnswer(task, inlineValue(outputs))
}

/** The same as text: what was answered is spliced in as it was stored. */
export function taskAnswerText(task: EndedTask): string {
  const { status, outputs, error } = task
  if (status === 'canceled' || outputs === null || 'pointer' in outputs) return JSON.stringify(taskAnswerView(task))
  const end = JSON.stringify(answerStatus(status))
  return `{"status":${end},"response":{"status":${end},"result":${outputs.json},"error":${JSON.stringify(error)}}}`
}
