import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import Koa from 'koa'
import { WebSocketServer } from 'ws'
import type { Containers } from '../../api/containers/containers.ts'
import type { Dependencies } from '../../api/dependencies.ts'
import type { Caller } from '../../api/http/api-keys.ts'
import { errors } from '../../api/http/middleware/errors.ts'
import { unmatched } from '../../api/http/middleware/paths.ts'
import { serveLogs } from '../../api/routes/logs.ts'
import { streamLogs } from '../../api/streams/logs.ts'
import { createLog } from '../../log.ts'

/** The container endpoints and the log stream alone, on a free port: they need neither database nor workflows. */
export interface LogServer {
  url: string
  wsUrl: string
  /** Streams that are being served. */
  streams: () => number
  /** What waits in memory for the slowest reader. */
  behindBytes: () => number
  /** Begins the shutdown, as a process does. */
  shutDown: () => void
  close: () => Promise<void>
}

export async function startLogServer(containers: Containers): Promise<LogServer> {
  const log = createLog('test', 'silent')
  const closing = new AbortController()
  const app = new Koa()
  app.use(errors(log))
  const anybody: Caller = { name: null, role: 'admin', agents: undefined, weight: 1, keyDigest: '' }
  app.use((context, next) => {
    context.state.caller = anybody
    return next()
  })
  const config = { MAX_BODY_BYTES: 1_000 }
  const router = new Router()
  serveLogs(router, { containers, log, config, closing: closing.signal } as Dependencies)
  app.use(router.routes())
  app.use(unmatched())
  app.silent = true
  const server: Server = createServer(app.callback())
  const websockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  let streams = 0
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'ws://localhost')
    const name = decodeURIComponent(pathname.slice('/ws/logs/'.length))
    websockets.handleUpgrade(request, socket, head, (client) => {
      streams += 1
      client.on('error', () => undefined)
      void streamLogs({ socket: client, containers, name, query, closing: closing.signal }).finally(
        () => (streams -= 1),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    streams: () => streams,
    behindBytes: () => Math.max(0, ...[...websockets.clients].map((client) => client.bufferedAmount)),
    shutDown: () => closing.abort(),
    close: async () => {
      closing.abort()
      for (const client of websockets.clients) client.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
