import Router from '@koa/router'
import { getMetrics } from '../../contracts/metrics.ts'
import type { Dependencies } from '../dependencies.ts'
import { readMetrics } from '../totals.ts'
import { bind } from './bind.ts'

/** The service's totals. */
export function metricsRoutes(deps: Dependencies): Router {
  const router = new Router({ sensitive: true })
  bind(router, deps, getMetrics, () => readMetrics(deps.store, new Date()))
  return router
}
