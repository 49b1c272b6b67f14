import Router from '@koa/router'
import Koa from 'koa'
import { observeRequests } from '../observability/observe-requests.ts'
import { serveDocumentation } from './docs/routes.ts'
import type { Dependencies } from './dependencies.ts'
import { authentication } from './http/middleware/authentication.ts'
import { cors } from './http/middleware/cors.ts'
import { errors, logBrokenAnswers } from './http/middleware/errors.ts'
import { lastResponse } from './http/middleware/last-response.ts'
import { knownHost, namedHost, ownPages } from './http/middleware/origins.ts'
import { readableUrl, unmatched } from './http/middleware/paths.ts'
import { requestId } from './http/middleware/request-id.ts'
import { requestLog } from './http/middleware/request-log.ts'
import { serveAgents } from './routes/agents.ts'
import { serveBatches } from './routes/batches.ts'
import { serveChat } from './routes/chat.ts'
import { serveDeletion } from './routes/deletion.ts'
import { serveDashboard } from './dashboard/routes.ts'
import { serveHealth } from './routes/health.ts'
import { serveJobs } from './routes/jobs.ts'
import { serveLogs } from './routes/logs.ts'
import { serveMetrics } from './routes/metrics.ts'
import { servePrompts } from './routes/prompts.ts'
import { serveResponses } from './routes/responses.ts'
import { serveAbout } from './routes/service.ts'
import { serveTraces } from './routes/traces.ts'

/** The HTTP application of an API process. http/serve-endpoint.ts describes the steps of a route. */
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
  const router = new Router({ sensitive: true })
  serveHealth(router, deps)
  serveAbout(router, deps)
  servePrompts(router, deps)
  serveJobs(router, deps)
  serveBatches(router, deps)
  serveDeletion(router, deps)
  serveAgents(router, deps)
  serveChat(router, deps)
  serveTraces(router, deps)
  serveMetrics(router, deps)
  serveResponses(router, deps)
  serveLogs(router, deps)
  serveDocumentation(router, deps)
  serveDashboard(router)
  app.use(router.routes())
  app.use(unmatched())
  return app
}
