import Koa from 'koa'
import { observeRequests } from '../observability/observe-requests.ts'
import { documentationRoutes } from './docs/routes.ts'
import type { Dependencies } from './dependencies.ts'
import { authentication } from './http/middleware/authentication.ts'
import { cors } from './http/middleware/cors.ts'
import { errors, logBrokenAnswers } from './http/middleware/errors.ts'
import { lastResponse } from './http/middleware/last-response.ts'
import { knownHost, namedHost, ownPages } from './http/middleware/origins.ts'
import { readableUrl, unmatched } from './http/middleware/paths.ts'
import { requestId } from './http/middleware/request-id.ts'
import { requestLog } from './http/middleware/request-log.ts'
import { agentRoutes } from './routes/agents.ts'
import { batchRoutes } from './routes/batches.ts'
import { chatRoutes } from './routes/chat.ts'
import { deletionRoutes } from './routes/deletion.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { healthRoutes } from './routes/health.ts'
import { jobRoutes } from './routes/jobs.ts'
import { logsRoutes } from './routes/logs.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { promptRoutes } from './routes/prompts.ts'
import { responseRoutes } from './routes/responses.ts'
import { serviceRoutes } from './routes/service.ts'
import { traceRoutes } from './routes/traces.ts'

/** The HTTP side of an API process. How a route goes on: http/serve-endpoint.ts. */
export function createApp(deps: Dependencies): Koa {
  const { config, log, keys, closing } = deps
  const app = new Koa()
  app.on('error', logBrokenAnswers(log))
  app.use(requestId())
  app.use(observeRequests())
  app.use(requestLog(log))
  app.use(lastResponse(closing))
  app.use(errors(log))
  app.use(namedHost())
  app.use(cors(config.CORS_ORIGIN))
  if (keys.isOpen) app.use(knownHost(config))
  app.use(authentication(keys))
  app.use(ownPages(config))
  app.use(readableUrl())
  for (const routes of [
    healthRoutes,
    serviceRoutes,
    promptRoutes,
    jobRoutes,
    batchRoutes,
    deletionRoutes,
    agentRoutes,
    chatRoutes,
    traceRoutes,
    metricsRoutes,
    responseRoutes,
    logsRoutes,
  ]) {
    app.use(routes(deps).routes())
  }
  app.use(documentationRoutes(deps).routes())
  app.use(dashboardRoutes().routes())
  app.use(unmatched())
  return app
}
