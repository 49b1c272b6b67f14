import pTimeout from 'p-timeout'
import type Router from '@koa/router'
import { getHealth, type Health } from '../../contracts/health.ts'
import packageJson from '../../package.json' with { type: 'json' }
import type { Dependencies } from '../dependencies.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

/** A busy server is not unreachable, but the health response must arrive within two seconds. */
const TIMEOUT_MS = 1_900

const SERVERS = ['database', 'storage', 'message_bus'] as const

/** Route of the health check: the components and whether they are reachable. */
export function serveHealth(router: Router, deps: Dependencies): void {
  const { TRACING } = deps.config
  const tracing = { enabled: TRACING !== 'disabled', backend: TRACING }
  const components = { database: 'MongoDB', storage: 'S3', message_bus: 'Temporal', tracing }

  serveEndpoint(router, deps, getHealth, async () => {
    const database = deps.store.db.command({ ping: 1 }, { timeoutMS: TIMEOUT_MS })
    const answers = await Promise.all([database, deps.blobs.ping(), deps.runs.ping()].map(inTime))
    const unreachable = SERVERS.filter((_, index) => answers[index] === false)
    const status: Health['status'] = unreachable.length === 0 ? 'ok' : 'degraded'
    const more = status === 'ok' ? {} : { unreachable }
    return { status, version: packageJson.version, components, ...more }
  })
}

/** Whether a ping succeeded within the time limit. */
function inTime(ping: Promise<unknown>): Promise<boolean> {
  return pTimeout(ping, { milliseconds: TIMEOUT_MS, fallback: () => false }).then(Boolean, () => false)
}
