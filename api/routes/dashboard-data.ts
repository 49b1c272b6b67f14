import Router from '@koa/router'
import { getAbout } from '../../contracts/about.ts'
import { getBatchGrid, listBatchTasks } from '../../contracts/batch-tasks.ts'
import { cancelJobs } from '../../contracts/cancel-jobs.ts'
import { listKeys } from '../../contracts/keys.ts'
import { getMetricsSeries } from '../../contracts/metrics-series.ts'
import { createStreamTicket } from '../../contracts/stream-tickets.ts'
import { getTraceOutline } from '../../contracts/trace-outline.ts'
import { timestamp } from '../views/timestamp.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { issueTicket } from '../../store/stream-tickets.ts'
import { inSnapshot } from '../../store/in-snapshot.ts'
import { listTasks, readGrid } from '../batch-tasks.ts'
import { findBatch } from '../batches.ts'
import { cancelMatching } from '../cancel-matching.ts'
import type { Dependencies } from '../dependencies.ts'
import { findExecution } from '../executions.ts'
import { readSeries } from '../metrics-series.ts'
import { readOutline } from '../trace-outline.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

/** What tools for people need beside the interface: flat in cost, however much was ever run. */
export function dashboardDataRoutes(deps: Dependencies): Router {
  const router = new Router({ sensitive: true })
  const { store, config, runs, keys } = deps

  serveEndpoint(router, deps, getAbout, async () => ({
    version: packageJson.version,
    now: timestamp(new Date()),
    temporal: {
      namespace: config.TEMPORAL_NAMESPACE,
      workflow_id_prefix: runs.workflowIdPrefix,
      ui: config.TEMPORAL_UI ?? null,
    },
    tracing: config.TRACING,
    retention_days: {
      traces: config.TRACE_RETENTION_DAYS ?? null,
      executions: config.EXECUTION_RETENTION_DAYS ?? null,
    },
    max_body_bytes: config.MAX_BODY_BYTES,
    response_offload_bytes: config.RESPONSE_OFFLOAD_BYTES,
  }))

  serveEndpoint(router, deps, listKeys, async ({ caller }) => ({
    own: { name: caller.name, role: caller.role, agents: agentsOf(caller) },
    keys:
      caller.role === 'admin'
        ? keys.list().map((key) => ({ name: key.name, role: key.role, agents: agentsOf(key), weight: key.weight }))
        : null,
  }))

  serveEndpoint(router, deps, createStreamTicket, async ({ caller }) => {
    const { ticket, expiresAt } = await issueTicket(store, caller.keyDigest, new Date())
    return { ticket, expires_at: timestamp(expiresAt) }
  })

  serveEndpoint(router, deps, getMetricsSeries, ({ query: { minutes, step } }) =>
    readSeries(store, minutes, step, new Date()),
  )

  serveEndpoint(router, deps, getTraceOutline, async ({ query }) => {
    await findExecution(store, query.job_id)
    return readOutline(store, query)
  })

  serveEndpoint(router, deps, cancelJobs, ({ body, responseClosed }) =>
    cancelMatching(deps, body.filter, body.dry_run, responseClosed),
  )

  serveEndpoint(router, deps, getBatchGrid, ({ parameters }) =>
    inSnapshot(store, async (session) => readGrid(store, await findBatch(deps, parameters.batch_id, session), session)),
  )

  serveEndpoint(router, deps, listBatchTasks, async ({ parameters: { batch_id }, query }) => {
    await findBatch(deps, batch_id)
    const { limit, offset = 0 } = query
    return { ...(await listTasks(store, batch_id, query)), limit, offset }
  })

  return router
}

function agentsOf({ agents }: { agents: readonly string[] | undefined }): string[] | null {
  return agents === undefined ? null : [...agents]
}
