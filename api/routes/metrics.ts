import type Router from '@koa/router'
import { getLimits } from '../../contracts/limits.ts'
import { getMetrics } from '../../contracts/metrics.ts'
import { getMetricsSeries } from '../../contracts/metrics-series.ts'
import { readAccounts } from '../reads/accounts.ts'
import type { Dependencies } from '../dependencies.ts'
import { readSeries } from '../reads/metrics-series.ts'
import { readMetrics } from '../reads/totals.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

/** Routes of the totals, the metrics per interval, and the provider accounts. */
export function serveMetrics(router: Router, deps: Dependencies): void {
  serveEndpoint(router, deps, getMetrics, () => readMetrics(deps.store, new Date()))
  serveEndpoint(router, deps, getMetricsSeries, ({ query: { minutes, step } }) =>
    readSeries(deps.store, minutes, step, new Date()),
  )
  serveEndpoint(router, deps, getLimits, () => readAccounts(deps.store, deps.config.LIMITS, new Date()))
}
