import type { Store } from '../../store/mongodb/connect.ts'
import { taskEndFields, type EndedTask } from '../views/batch-tasks.ts'
import { taskAnswerView } from '../views/task-answer.ts'

/**
 * The results of the ended tasks of a batch by job id, in the order of the tasks, truncated at a size.
 * @param maxBytes - approximate length of their JSON.
 */
export async function readResults(
  { executions }: Store,
  batchId: string,
  maxBytes: number,
): Promise<{ results: Record<string, object>; truncated: boolean }> {
  const tasks = executions
    .find<EndedTask>({ batch_id: batchId, status: { $ne: 'running' } }, { projection: taskEndFields })
    .sort({ batch_index: 1, _id: 1 })
  const results: Record<string, object> = {}
  let bytes = 0
  for await (const task of tasks) {
    const result = taskAnswerView(task)
    bytes += Buffer.byteLength(JSON.stringify(result))
    if (bytes > maxBytes) return { results, truncated: true }
    results[task._id] = result
  }
  return { results, truncated: false }
}
