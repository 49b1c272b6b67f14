import { expect } from 'chai'
import { once } from 'node:events'
import { request, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpServer, type HttpServerOptions } from '../../../../api/http/http-server.ts'
import { createLog } from '../../../../log.ts'
import { eventually } from '../../../support/service.ts'

describe('The HTTP server', () => {
  const servers: Server[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  async function serve(options: Partial<HttpServerOptions>, listener: RequestListener = echo): Promise<number> {
    const limits = { headersMs: 300, bodyWindowMs: 200, bodyBytesPerSecond: 1_000, maxConnections: 10 }
    const server = createHttpServer(listener, { log: createLog('test', 'silent'), ...limits, ...options })
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  /** Answers with the length of the body, when all of it has come. */
  const echo: RequestListener = (request, response) => {
    request.on('error', () => {})
    request.toArray().then(
      (parts) => response.end(String(Buffer.concat(parts).length)),
      () => undefined,
    )
  }

  async function open(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }

  const isRefused = (answer: string): void => {
    expect(answer).to.match(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).to.deep.equal({
      detail: 'The request did not arrive in time.',
    })
  }
  const allOf = async (socket: Socket): Promise<string> => Buffer.concat(await socket.toArray()).toString()

  it('ends connections on which headers do not arrive, and those on which nothing does', async () => {
    const port = await serve({})
    const [silent, half] = await Promise.all([open(port), open(port)])
    half.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow:')
    for (const socket of [silent, half]) isRefused(await allOf(socket))
  })

  it('keeps connections that wait for a response, and closes idle ones', async () => {
    const work: RequestListener = (_request, response) => void sleep(1_000).then(() => response.end('done'))
    const server = await serve({ takingMs: 200 }, work)
    const socket = await open(server)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(String(answer)).to.match(/^HTTP\/1\.1 200 OK[^]*done/)
    socket.destroy()
    const idle = createHttpServer(work, { log: createLog('test', 'silent'), maxConnections: 10, takingMs: 200 })
    servers.push(idle.listen(0, '127.0.0.1'))
    idle.keepAliveTimeout = 300
    await once(idle, 'listening')
    const unused = await open((idle.address() as AddressInfo).port)
    unused.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await allOf(unused)).to.contain('done')
  })

  it('disconnects a client that does not read its response, and serves a slow one', async () => {
    const piece = Buffer.alloc(65_536)
    const left = Promise.withResolvers<number>()
    let sent = 0
    const pour: RequestListener = (request, response) => {
      const isLast = (): boolean => request.url === '/slow' && (sent += 1) === 150
      const more = (): void => {
        for (;;) {
          if (isLast()) return void response.end()
          if (!response.write(piece)) return void response.once('drain', more)
        }
      }
      response.on('close', () => request.url === '/never' && left.resolve(Date.now()))
      more()
    }
    // One piece for all takes the slow one longer than that.
    const whole: RequestListener = (request, response) =>
      request.url === '/whole' ? void response.end(Buffer.alloc(150 * piece.length)) : pour(request, response)
    const port = await serve({ takingMs: 1_000 }, whole)
    const deaf = (await open(port)).pause()
    deaf.on('error', () => undefined)
    deaf.write('GET /never HTTP/1.1\r\nHost: x\r\n\r\n')
    for (const path of ['/slow', '/whole']) {
      const slow = await open(port)
      slow.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      let received = 0
      for await (const part of slow) {
        received += (part as Buffer).length
        await sleep(10)
      }
      expect(received, path).to.be.greaterThan(149 * piece.length)
    }
    await left.promise
    deaf.destroy()
  })

  it('ends a request whose body trickles in', async () => {
    const socket = await open(await serve({}))
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n')
    socket.on('error', () => {})
    const trickle = setInterval(() => socket.write('x'), 20)
    const answer = await allOf(socket)
    clearInterval(trickle)
    isRefused(answer)
  })

  it('accepts a slow body above the minimum rate', async () => {
    const port = await serve({ bodyWindowMs: 1_000 })
    const sent = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': 7_500 } })
    const response = once(sent, 'response') as Promise<[IncomingMessage]>
    for (let n = 0; n < 15; n += 1) {
      sent.write('x'.repeat(500))
      await sleep(100)
    }
    sent.end()
    const [answer] = await response
    expect(Buffer.concat(await answer.toArray()).toString()).to.equal('7500')
  })

  it('does not limit the time of a request that has arrived', async () => {
    const port = await serve({}, (request, response) => {
      request.resume().on('end', () => setTimeout(() => response.end('late'), 1_500))
    })
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'x' })
    expect(await answer.text()).to.equal('late')
  })

  it('closes a connection when the rest of a body does not arrive after the response', async () => {
    const port = await serve({}, (_request, response) => response.writeHead(401).end('no'))
    const socket = await open(port)
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nx')
    expect(await allOf(socket)).to.match(/^HTTP\/1\.1 401 /)
  })

  it('serves a request with an expectation that it does not know', async () => {
    const port = await serve({})
    const sent = request({ port, host: '127.0.0.1', method: 'POST', headers: { expect: '200-maybe' } })
    const [response] = (await once(sent.end('abc'), 'response')) as [IncomingMessage]
    expect(Buffer.concat(await response.toArray()).toString()).to.equal('3')
  })

  it('closes connections above the limit', async () => {
    const port = await serve({ maxConnections: 2, headersMs: 5_000 })
    const held = [await open(port), await open(port)]
    const third = await open(port)
    third.on('error', () => {})
    await once(third.resume(), 'close')
    for (const socket of held) socket.destroy()
    // The server learns a little later that they have gone.
    const served = () => fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'abc' }).catch(() => undefined)
    const answer = await eventually(served, (response) => response !== undefined)
    expect(await answer?.text()).to.equal('3')
  })
})
