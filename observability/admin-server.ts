import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics, register } from 'prom-client'
import { ConfigError } from '../config.ts'
import { messageOf } from '../core/errors.ts'
import type { Log } from '../log.ts'
import { problems, type Need } from './readiness.ts'

export interface AdminServer {
  port: number
  close: () => Promise<void>
}

export interface AdminServerOptions {
  host: string
  port: number
  needs: readonly Need[]
  /** Sentences about servers that the process waits for but can work without. */
  notes?: () => string[]
  log: Log
  /** Metrics in Prometheus's text format from another source. */
  moreMetrics?: () => Promise<string>
}

/** One of the default metrics. Its presence shows that they were added, which is possible only once in a process. */
const PROCESS_METRIC = 'process_cpu_seconds_total'

/**
 * Serves the admin endpoints without a key: `/livez` (the process runs), `/readyz` (503 with a sentence while it cannot
 * work; otherwise 200 with the servers it waits for), `/metrics`.
 * @throws ConfigError if the port cannot be used.
 */
export async function startAdminServer({ host, port, log, ...pages }: AdminServerOptions): Promise<AdminServer> {
  if (register.getSingleMetric(PROCESS_METRIC) === undefined) collectDefaultMetrics()
  const server = createServer(serve(pages, log))
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) => reject(new ConfigError(`ADMIN_PORT cannot be used: ${message}.`)))
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  log.info({ host, port: bound }, 'admin port listening')
  return {
    port: bound,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

type Pages = Pick<AdminServerOptions, 'needs' | 'notes' | 'moreMetrics'>

function serve(pages: Pages, log: Log): RequestListener {
  const readiness = shared(() => problems(pages.needs))
  const metrics = shared(async () => {
    const [own, more] = await Promise.all([register.metrics(), pages.moreMetrics?.()])
    return more === undefined || more === '' ? own : `${own}\n${more}`
  })
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    if (path === '/livez') return send(response, 200, 'ok')
    if (path === '/metrics') return send(response, 200, await metrics(), register.contentType)
    if (path !== '/readyz') return send(response, 404, 'There are /livez, /readyz and /metrics.')
    const missing = await readiness()
    if (missing.length > 0) return send(response, 503, missing.join(' '))
    return send(response, 200, ['ok', ...(pages.notes?.() ?? [])].join('\n'))
  }
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD')
      return send(response, 405, 'Only GET is allowed here.')
    }
    answer(path, response).catch((error: unknown) => {
      log.error({ error: messageOf(error), path }, 'admin request failed')
      send(response, 500, 'The answer could not be made; the log says why.')
    })
  }
}

function send(response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'Content-Type': type }).end(body.endsWith('\n') ? body : `${body}\n`)
}

/** Concurrent requests share one execution of the work. */
function shared<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let pending: Promise<Result> | undefined
  return () => (pending ??= work().finally(() => (pending = undefined)))
}
