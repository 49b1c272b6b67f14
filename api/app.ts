import Router from '@koa/router'
import Koa from 'koa'
import { observeRequests } from '../observability/observe-requests.ts'
import { openApiDocument } from './openapi.ts'
import { documentationPage } from './docs.ts'
import type { Dependencies } from './dependencies.ts'
import { authentication } from './middleware/authentication.ts'
import { cors } from './middleware/cors.ts'
import { errors, logBrokenAnswers } from './middleware/errors.ts'
import { readablePath, unmatched } from './middleware/paths.ts'
import { requestId } from './middleware/request-id.ts'
import { requestLog } from './middleware/request-log.ts'
import { agentRoutes } from './routes/agents.ts'
import { batchRoutes } from './routes/batches.ts'
import { chatRoutes } from './routes/chat.ts'
import { dashboardDataRoutes } from './routes/dashboard-data.ts'
import { dashboardRoutes } from './routes/dashboard.ts'
import { healthRoutes } from './routes/health.ts'
import { jobRoutes } from './routes/jobs.ts'
import { logsRoutes } from './routes/logs.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { promptRoutes } from './routes/prompts.ts'
import { responseRoutes } from './routes/responses.ts'
import { traceRoutes } from './routes/traces.ts'

/**
 * The HTTP side of an API process. Each route goes on with body → query and body checked → idempotency → handler; see
 * routes/bind.ts.
 */
export function createApp(deps: Dependencies): Koa {
  const { config, log } = deps
  const app = new Koa()
  app.on('error', logBrokenAnswers(log))
  app.use(requestId())
  app.use(observeRequests())
  app.use(requestLog(log))
  app.use(errors(log))
  app.use(cors(config.CORS_ORIGIN))
  app.use(authentication(config.SERVICE_API_KEY))
  app.use(readablePath())
  for (const routes of [
    healthRoutes,
    dashboardDataRoutes,
    promptRoutes,
    jobRoutes,
    batchRoutes,
    agentRoutes,
    chatRoutes,
    traceRoutes,
    metricsRoutes,
    responseRoutes,
    logsRoutes,
  ]) {
    app.use(routes(deps).routes())
  }
  app.use(documentationRoutes().routes())
  app.use(dashboardRoutes().routes())
  app.use(unmatched())
  return app
}

/** The interface described for programs and for people; needs no key. */
function documentationRoutes(): Router {
  const router = new Router({ sensitive: true })
  const document = openApiDocument()
  const page = documentationPage(document)
  router.get('/openapi.json', (ctx) => {
    ctx.body = document
  })
  router.get('/docs', (ctx) => {
    ctx.type = 'html'
    ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    ctx.body = page
  })
  return router
}
