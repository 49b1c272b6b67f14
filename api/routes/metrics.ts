import Router from '@koa/router'
import { getLimits } from '../../contracts/limits.ts'
import { getMetrics } from '../../contracts/metrics.ts'
import { readAccounts } from '../accounts.ts'
import type { Dependencies } from '../dependencies.ts'
import { readMetrics } from '../totals.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

/** The service's totals, and the providers' accounts. */
export function metricsRoutes(deps: Dependencies): Router {
  const router = new Router({ sensitive: true })
  serveEndpoint(router, deps, getMetrics, () => readMetrics(deps.store, new Date()))
  serveEndpoint(router, deps, getLimits, () => readAccounts(deps.store, deps.config.LIMITS, new Date()))
  return router
}
