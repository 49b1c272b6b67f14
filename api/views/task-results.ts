import { hasEnded } from '../../core/task-answer.ts'
import type { Dependencies } from '../dependencies.ts'
import { JsonText } from '../http/json-text.ts'
import { deleted, taskEndFields, type TaskEnd } from './batch-tasks.ts'
import { taskAnswerText } from './task-answer.ts'

const IDS_AT_ONCE = 500

/**
 * The responses of ended tasks in the order of their ids, read in portions while they are sent.
 * @throws TroupeError not_found when a task was deleted, because a response without it would look complete
 */
export async function* taskResults(deps: Dependencies, ids: string[]): AsyncGenerator<JsonText> {
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const portion = ids.slice(from, from + IDS_AT_ONCE)
    const found = deps.store.executions.find<TaskEnd>({ _id: { $in: portion } }, { projection: taskEndFields })
    const byId = new Map((await found.toArray()).map((task) => [task._id, task]))
    const results = portion.flatMap((id) => {
      const task = byId.get(id) ?? deleted(id)
      return hasEnded(task) ? [`{"task_id":${JSON.stringify(id)},${taskAnswerText(task).slice(1)}`] : []
    })
    if (results.length > 0) yield new JsonText(results.join(','))
  }
}
