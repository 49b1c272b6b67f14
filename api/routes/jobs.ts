import type Router from '@koa/router'
import { cancelJobs } from '../../contracts/cancel-jobs.ts'
import { cancelJob, createJob, getJob, listJobs, replayJob } from '../../contracts/jobs.ts'
import { cancelMatching } from '../runs/cancel-matching.ts'
import { findAgents, requirePrices } from '../runs/known-agents.ts'
import type { Dependencies } from '../dependencies.ts'
import { listMatching, totalMatching } from '../reads/execution-filter.ts'
import { awaitEnd, findExecution } from '../reads/executions.ts'
import { requireAgents } from '../http/api-keys.ts'
import { serveEndpoint, serveSubmission } from '../http/serve-endpoint.ts'
import { jobEndedView, jobEndOf, jobStoredView, jobView, type JobEnd } from '../views/execution.ts'
import { jobListItemView } from '../views/job-list-item.ts'

/** Routes of legacy jobs: submission that waits, lookup of any execution, list, cancel (one, or all that match a filter), replay. */
export function serveJobs(router: Router, deps: Dependencies): void {
  serveSubmission(router, deps, createJob, {
    submit: async ({ body, caller, seed }) => {
      const { pipeline_name: prompt_name, inputs, budget, no_cache } = body
      requireAgents(caller, [prompt_name])
      const agents = await findAgents(deps.store, [prompt_name])
      requirePrices(agents, budget)
      const submission = { agents, mode: 'single', prompt_name, inputs, budget, no_cache, caller, seed } as const
      return jobEndOf(await deps.runs.submit({ kind: 'job', ...submission }))
    },
    wait: async ({ _id }, { responseClosed }) => jobEndOf(await awaitEnd(deps, _id, responseClosed)),
    answer: async (end, { responseClosed }) =>
      jobEndedView(deps, await findExecution(deps.store, end._id), end, responseClosed),
  })

  serveEndpoint(router, deps, listJobs, async ({ query, responseClosed: signal }) => {
    const [{ items, next_cursor }, total] = await Promise.all([
      listMatching(deps.store, query, { ...query, signal }),
      totalMatching(deps.store, query),
    ])
    return { jobs: items.map(jobListItemView), limit: query.limit, offset: query.offset ?? 0, total, next_cursor }
  })

  serveEndpoint(router, deps, getJob, async ({ parameters, responseClosed }) => {
    return jobView(deps, await findExecution(deps.store, parameters.job_id), responseClosed)
  })

  serveEndpoint(router, deps, cancelJob, async ({ parameters: { job_id } }) => {
    const { ok, status } = await deps.runs.cancel(job_id)
    return { ok, job_id, status }
  })

  serveEndpoint(router, deps, cancelJobs, ({ body, responseClosed }) =>
    cancelMatching(deps, body.filter, body.dry_run, responseClosed),
  )

  serveReplay(router, deps)
}

function serveReplay(router: Router, deps: Dependencies): void {
  serveSubmission(router, deps, replayJob, {
    submit: async ({ parameters, body, caller, seed }): Promise<JobEnd> => {
      const stored = await findExecution(deps.store, parameters.job_id)
      if (!body.reexecute) return jobEndOf(stored)
      const { prompt_name, mode, _id: replay_of, budget } = stored
      const names = stored.agents.map(({ name }) => name)
      requireAgents(caller, names)
      const [agents, inputs] = await Promise.all([findAgents(deps.store, names), deps.contents.value(stored.inputs)])
      const submission = { agents, mode, prompt_name, inputs, budget, no_cache: body.no_cache, replay_of, caller, seed }
      return jobEndOf(await deps.runs.submit({ kind: 'job', ...submission }))
    },
    wait: async (run, { flags, responseClosed }) =>
      flags.reexecute && flags.wait ? jobEndOf(await awaitEnd(deps, run._id, responseClosed)) : run,
    answer: async (end, { flags, parameters, responseClosed }) => {
      const execution = await findExecution(deps.store, end._id)
      if (!flags.reexecute) return jobStoredView(deps, execution, end, responseClosed)
      if (flags.wait) return jobEndedView(deps, execution, end, responseClosed)
      return { job_id: end._id, status: end.status, agent: execution.prompt_name, replay_of: parameters.job_id }
    },
  })
}
