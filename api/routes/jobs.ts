import Router from '@koa/router'
import { cancelJob, createJob, getJob, listJobs, replayJob } from '../../contracts/jobs.ts'
import { findPlaces } from '../agent-places.ts'
import type { Dependencies } from '../dependencies.ts'
import { listMatching } from '../execution-filter.ts'
import { awaitEnd, findExecution } from '../executions.ts'
import { totalSubmitted } from '../totals.ts'
import { jobEndedView, jobStoredView, jobView } from '../views/execution.ts'
import { jobListItemView } from '../views/job-list-item.ts'
import { bind } from './bind.ts'

/** Legacy jobs: submission that waits, lookup of any execution, list, cancel, replay. */
export function jobRoutes(deps: Dependencies): Router {
  const router = new Router({ sensitive: true })

  bind(router, deps, createJob, async ({ body, seed, released }) => {
    const { pipeline_name: prompt_name, inputs } = body
    const agents = await findPlaces(deps.store, [prompt_name])
    const run = await deps.runs.submit({ kind: 'job', agents, mode: 'single', prompt_name, inputs, seed })
    return jobEndedView(deps, await awaitEnd(deps, run._id, released), released)
  })

  bind(router, deps, listJobs, async ({ query }) => {
    const [{ items, next_cursor }, total] = await Promise.all([
      listMatching(deps.store, query, query),
      totalSubmitted(deps.store),
    ])
    return { jobs: items.map(jobListItemView), limit: query.limit, offset: query.offset, total, next_cursor }
  })

  bind(router, deps, getJob, async ({ parameters, released }) => {
    return jobView(deps, await findExecution(deps.store, parameters.job_id), released)
  })

  bind(router, deps, cancelJob, async ({ parameters: { job_id } }) => {
    const { ok, status } = await deps.runs.cancel(job_id)
    return { ok, job_id, status }
  })

  bind(router, deps, replayJob, async ({ parameters, body, seed, released }) => {
    const stored = await findExecution(deps.store, parameters.job_id)
    if (!body.reexecute) return jobStoredView(deps, stored, released)
    const { prompt_name, mode, _id: replay_of } = stored
    const [agents, inputs] = await Promise.all([
      findPlaces(
        deps.store,
        stored.agents.map(({ name }) => name),
      ),
      deps.contents.value(stored.inputs),
    ])
    const run = await deps.runs.submit({ kind: 'job', agents, mode, prompt_name, inputs, replay_of, seed })
    if (!body.wait) return { job_id: run._id, status: run.status, agent: prompt_name, replay_of }
    return jobEndedView(deps, await awaitEnd(deps, run._id, released), released)
  })

  return router
}
