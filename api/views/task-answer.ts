import { endStatus, taskAnswer } from '../../core/task-answer.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { TaskEnd } from './batch-tasks.ts'

type EndedStatus = Exclude<ExecutionDocument['status'], 'running'>
type EndedTask = TaskEnd & { status: EndedStatus }

/** An ended task's answer; what is large in it is a pointer. */
export function taskAnswerView({ contents }: Pick<Dependencies, 'contents'>, task: EndedTask) {
  const { status, outputs, error } = task
  if (status === 'canceled') return taskAnswer(task, null)
  // Told by how they are stored: outputs of a task's own may look like what stands for them.
  if (outputs !== null && 'pointer' in outputs) return { status: endStatus(status), response: contents.inline(outputs) }
  return taskAnswer(task, outputs === null ? (status === 'failed' ? { error } : null) : contents.inline(outputs))
}

/** The same as text: what was answered is spliced in as it was stored. */
export function taskAnswerText(deps: Pick<Dependencies, 'contents'>, task: EndedTask): string {
  const { status, outputs, error } = task
  if (status === 'canceled' || outputs === null || 'pointer' in outputs)
    return JSON.stringify(taskAnswerView(deps, task))
  const end = JSON.stringify(endStatus(status))
  return `{"status":${end},"response":{"status":${end},"result":${outputs.json},"error":${JSON.stringify(error)}}}`
}
