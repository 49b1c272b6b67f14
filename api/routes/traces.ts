import type Router from '@koa/router'
import * as contract from '../../contracts/traces.ts'
import { getTraceOutline } from '../../contracts/trace-outline.ts'
import type { Dependencies } from '../dependencies.ts'
import { findExecution } from '../reads/executions.ts'
import { jsonArray, jsonObject } from '../http/json-text.ts'
import { readOutline } from '../reads/trace-outline.ts'
import { findTrace, listGroups, readGroups, tracePage } from '../reads/traces.ts'
import { fullTraceView } from '../views/trace.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

/** Routes of trace events: list, list grouped by job, outline, and one event with its full payload. */
export function serveTraces(router: Router, deps: Dependencies): void {
  const { store } = deps

  serveEndpoint(router, deps, contract.listTraces, async ({ query, responseClosed: signal }) =>
    tracePage(store, { ...query, signal }),
  )

  serveEndpoint(router, deps, contract.listGroupedTraces, async ({ query, responseClosed: signal }) => {
    const { jobs, lastId, next_cursor } = await listGroups(store, { ...query, signal })
    return jsonObject({ grouped_traces: jsonArray(readGroups(store, jobs, lastId)), next_cursor })
  })

  serveEndpoint(router, deps, getTraceOutline, async ({ query }) => {
    await findExecution(store, query.job_id)
    return readOutline(store, query)
  })

  // Registered last, because its parameter also matches the paths above.
  serveEndpoint(router, deps, contract.getTrace, async ({ parameters, responseClosed }) => {
    return fullTraceView(deps, await findTrace(store, parameters.trace_id), responseClosed)
  })
}
