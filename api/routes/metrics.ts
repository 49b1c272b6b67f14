import Router from '@koa/router'
import { getMetrics } from '../../contracts/metrics.ts'
import type { Dependencies } from '../dependencies.ts'
import { readMetrics } from '../totals.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

/** The service's totals. */
export function metricsRoutes(deps: Dependencies): Router {
  const router = new Router({ sensitive: true })
  serveEndpoint(router, deps, getMetrics, () => readMetrics(deps.store, new Date()))
  return router
}
