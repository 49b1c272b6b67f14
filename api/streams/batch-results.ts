import { hasEnded } from '../../core/task-answer.ts'
import type { Dependencies } from '../dependencies.ts'
import { taskEndFields, type TaskEnd } from '../views/batch-tasks.ts'
import { taskAnswerView } from '../views/task-answer.ts'

/**
 * The results of a batch's ended tasks by job id, in the order of the tasks, cut off at a length.
 * @param maxBytes - approximate length of their JSON.
 */
export async function readResults(
  deps: Pick<Dependencies, 'store' | 'contents'>,
  batchId: string,
  maxBytes: number,
): Promise<{ results: Record<string, object>; truncated: boolean }> {
  const tasks = deps.store.executions
    .find<TaskEnd>({ batch_id: batchId, status: { $ne: 'running' } }, { projection: taskEndFields })
    .sort({ batch_index: 1, _id: 1 })
  const results: Record<string, object> = {}
  let bytes = 0
  for await (const task of tasks) {
    const { _id: id, status } = task
    if (!hasEnded(status)) continue
    const result = taskAnswerView(deps, { ...task, status })
    bytes += Buffer.byteLength(JSON.stringify(result))
    if (bytes > maxBytes) return { results, truncated: true }
    results[id] = result
  }
  return { results, truncated: false }
}
