import type Router from '@koa/router'
import * as contract from '../../contracts/batches.ts'
import { getBatchGrid, listBatchTasks } from '../../contracts/batch-tasks.ts'
import { findAgent, requirePrices } from '../runs/known-agents.ts'
import { listTasks, readGrid } from '../reads/batch-grid.ts'
import { awaitTasks, findBatch, listBatches } from '../reads/batches.ts'
import { inSnapshot } from '../../store/mongodb/in-snapshot.ts'
import type { Dependencies } from '../dependencies.ts'
import type { AddedTasks } from '../runs/submission.ts'
import { requireAgents } from '../http/api-keys.ts'
import { jsonArray, jsonObject, JsonText } from '../http/json-text.ts'
import { idsFromSeed } from '../http/seeded-ids.ts'
import { serveEndpoint, serveSubmission } from '../http/serve-endpoint.ts'
import { batchItems } from '../views/batch-items.ts'
import { readBatchTasks } from '../views/batch-tasks.ts'
import { batchView, neededParts } from '../views/batch.ts'
import { taskResults } from '../views/task-results.ts'

/** Routes of batches: submission, adding tasks, lookup, list, cancel, and the tasks as a grid and as a list. */
export function serveBatches(router: Router, deps: Dependencies): void {
  serveSubmissions(router, deps)

  serveEndpoint(router, deps, contract.listBatches, async ({ query, responseClosed: signal }) => {
    const { items, next_cursor } = await listBatches(deps, { ...query, signal })
    return jsonObject({ batches: jsonArray(batchItems(deps, items, query.ids)), limit: query.limit, next_cursor })
  })

  serveEndpoint(router, deps, contract.getBatch, async ({ parameters, query, responseClosed }) => {
    const parts = neededParts(query, query.fields)
    const { batch, tasks } = await inSnapshot(deps.store, async (session) => {
      const batch = await findBatch(deps, parameters.batch_id, session)
      return { batch, tasks: await readBatchTasks(deps, batch, parts, session) }
    })
    return batchView(deps, { batch, tasks, parts, fields: query.fields, responseClosed })
  })

  serveEndpoint(router, deps, contract.cancelBatch, async ({ parameters: { batch_id } }) => {
    const { ok, status } = await deps.runs.cancelBatch(batch_id)
    return { ok, batch_id, status: contract.batchStatus.parse(status) }
  })

  serveEndpoint(router, deps, getBatchGrid, ({ parameters: { batch_id } }) =>
    inSnapshot(deps.store, async (session) => readGrid(deps.store, await findBatch(deps, batch_id, session), session)),
  )

  serveEndpoint(router, deps, listBatchTasks, async ({ parameters: { batch_id }, query, responseClosed: signal }) => {
    await findBatch(deps, batch_id)
    const { limit, offset = 0 } = query
    return { ...(await listTasks(deps.store, batch_id, { ...query, signal })), limit, offset }
  })
}

/** Facts from which the response to a submission of tasks is built; the ids of the tasks are derived from the seed. */
interface Submitted {
  batch_id: string
  agent_name: string
  /** Number of tasks of this request. */
  count: number
  /** Number of tasks of the whole batch. */
  total: number
  status: contract.Batch['status']
}

function serveSubmissions(router: Router, deps: Dependencies): void {
  serveSubmission(router, deps, contract.submitBatch, {
    submit: async ({ parameters, body, caller, seed }) => {
      requireAgents(caller, [parameters.agent_name])
      const agent = await findAgent(deps.store, parameters.agent_name)
      const { tasks, budget, task_budget, no_cache } = body
      requirePrices([agent], budget, task_budget)
      const batch = { batch_id: body.batch_id ?? undefined, mustExist: false, budget, task_budget, no_cache, caller }
      return deps.runs.addTasks({ ...batch, agent, tasks, seed })
    },
    wait: (added, call) => submittedTasks(deps, added, call),
    answer: async ({ batch_id, agent_name, count, status }, { seed, flags }) => {
      const { ids, text } = await taskIds(seed, count)
      const head = { batch_id, agent_name, status: flags.wait ? status : 'submitted', task_count: count } as const
      const lists = { task_ids: text, job_ids: text, trace_ids: text }
      const results = flags.wait ? jsonArray(taskResults(deps, ids)) : undefined
      return jsonObject<contract.BatchSubmitted>({ ...head, ...lists, results })
    },
  })

  serveSubmission(router, deps, contract.addTasks, {
    submit: async ({ parameters: { batch_id }, body, caller, seed }) => {
      requireAgents(caller, [body.agent_name])
      const agent = await findAgent(deps.store, body.agent_name)
      const { tasks, task_budget, no_cache } = body
      requirePrices([agent], task_budget)
      const submission = { batch_id, mustExist: true, agent, tasks, task_budget, no_cache, caller, seed }
      return deps.runs.addTasks(submission)
    },
    wait: (added, call) => submittedTasks(deps, added, call),
    answer: async ({ batch_id, count, total, status }, { seed, flags }) => {
      const { ids, text } = await taskIds(seed, count)
      const lists = { added_job_ids: text, added_trace_ids: text, added_task_ids: text }
      const head = { batch_id, status: flags.wait ? status : 'running' } as const
      const results = flags.wait ? jsonArray(taskResults(deps, ids)) : undefined
      return jsonObject<contract.TasksAdded>({ ...head, ...lists, total_tasks: total, total_job_ids: total, results })
    },
  })
}

/** The facts of added tasks; waits for their end if the client asked for it. */
async function submittedTasks(
  deps: Dependencies,
  added: AddedTasks,
  { flags, responseClosed }: { flags: { wait: boolean }; responseClosed: AbortSignal },
): Promise<Submitted> {
  const { batch_id, agent_name, ids, total } = added
  const status = flags.wait ? (await awaitTasks(deps, added, responseClosed)).status : 'running'
  return { batch_id, agent_name, count: ids.length, total, status }
}

async function taskIds(seed: string, count: number): Promise<{ ids: string[]; text: JsonText }> {
  // The first id of a seed is the id of the batch.
  const ids = await idsFromSeed(seed, 1, count)
  return { ids, text: new JsonText(JSON.stringify(ids)) }
}
