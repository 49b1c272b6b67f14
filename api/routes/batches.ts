import Router from '@koa/router'
import * as contract from '../../contracts/batches.ts'
import { findPlace } from '../agent-places.ts'
import { awaitTasks, findBatch, listBatches, snapshotSession } from '../batches.ts'
import type { Dependencies } from '../dependencies.ts'
import { jsonArray, jsonObject } from '../json-text.ts'
import { batchItems } from '../views/batch-items.ts'
import { batchView } from '../views/batch.ts'
import { taskResults } from '../views/task-results.ts'
import { bind } from './bind.ts'

/** Batches: submission, more tasks, lookup, list, cancel. */
export function batchRoutes(deps: Dependencies): Router {
  const router = new Router({ sensitive: true })
  bindSubmission(router, deps)

  bind(router, deps, contract.listBatches, async ({ query }) => {
    const { items, next_cursor } = await listBatches(deps, query)
    return jsonObject({ batches: jsonArray(batchItems(deps, items, query.ids)), limit: query.limit, next_cursor })
  })

  bind(router, deps, contract.getBatch, async ({ parameters, query, released }) => {
    const session = snapshotSession(deps, released)
    const batch = await findBatch(deps, parameters.batch_id, session)
    return batchView(deps, { batch, session, withResults: query.results, released })
  })

  bind(router, deps, contract.cancelBatch, async ({ parameters: { batch_id } }) => {
    const { ok, status } = await deps.runs.cancelBatch(batch_id)
    return { ok, batch_id, status: contract.batchStatus.parse(status) }
  })

  return router
}

function bindSubmission(router: Router, deps: Dependencies): void {
  bind(router, deps, contract.submitBatch, async ({ parameters, body, seed, released }) => {
    const agent = await findPlace(deps.store, parameters.agent_name)
    const submission = { batch_id: body.batch_id ?? undefined, mustExist: false, agent, tasks: body.tasks, seed }
    const added = await deps.runs.addTasks(submission)
    const { batch_id, agent_name, ids } = added
    const submitted = { batch_id, agent_name, task_count: ids.length, task_ids: ids, job_ids: ids, trace_ids: ids }
    if (!body.wait) return { ...submitted, status: 'submitted' as const }
    const { status } = await awaitTasks(deps, added, released)
    return jsonObject<contract.BatchSubmitted>({ ...submitted, status, results: jsonArray(taskResults(deps, ids)) })
  })

  bind(router, deps, contract.addTasks, async ({ parameters: { batch_id }, body, seed, released }) => {
    const agent = await findPlace(deps.store, body.agent_name)
    const added = await deps.runs.addTasks({ batch_id, mustExist: true, agent, tasks: body.tasks, seed })
    const { ids, total } = added
    const lists = { added_job_ids: ids, added_trace_ids: ids, added_task_ids: ids }
    const answer = { batch_id, ...lists, total_tasks: total, total_job_ids: total }
    if (!body.wait) return { ...answer, status: 'running' as const }
    const { status } = await awaitTasks(deps, added, released)
    return jsonObject<contract.TasksAdded>({ ...answer, status, results: jsonArray(taskResults(deps, ids)) })
  })
}
