import Router from '@koa/router'
import * as contract from '../../contracts/traces.ts'
import type { Dependencies } from '../dependencies.ts'
import { jsonArray, jsonObject } from '../json-text.ts'
import { findTrace, listGroups, readGroups, tracePage } from '../traces.ts'
import { fullTraceView } from '../views/trace.ts'
import { bind } from './bind.ts'

/** Trace events: as a list, grouped by job, and one with its full payload. */
export function traceRoutes(deps: Dependencies): Router {
  const router = new Router({ sensitive: true })
  const { store } = deps

  bind(router, deps, contract.listTraces, async ({ query }) => tracePage(store, query))

  bind(router, deps, contract.listGroupedTraces, async ({ query }) => {
    const { jobs, next_cursor } = await listGroups(store, query)
    return jsonObject({ grouped_traces: jsonArray(readGroups(store, jobs)), next_cursor })
  })

  bind(router, deps, contract.getTrace, async ({ parameters, released }) => {
    return fullTraceView(deps, await findTrace(store, parameters.trace_id), released)
  })

  return router
}
