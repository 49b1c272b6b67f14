import { request, type IncomingMessage } from 'node:http'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { issueTicket } from '../../store/feed/stream-tickets.ts'
import { sharedStack } from '../support/stack.ts'
import { startScene, type Scene } from './scene.ts'

describe('the handshake of a stream', function () {
  this.timeout(60_000)
  let scene: Scene
  let uri: string

  before(async () => {
    uri = sharedStack().MONGODB_URI as string
    scene = await startScene({ uri, keys: 'right,older' })
  })
  after(() => scene.close())

  it('takes a key from the query or either header', async () => {
    await scene.connect('/ws/events?api_key=right').opened()
    await scene.connect('/ws/events', { 'X-API-Key': 'older' }).opened()
    await scene.connect('/ws/events', { Authorization: 'bearer right' }).opened()
  })

  it('is named by a request id, the one of the caller when it brings one', async () => {
    const idOf = async (headers: Record<string, string>) => {
      const { socket } = scene.connect('/ws/events?api_key=right', headers)
      const [response] = (await once(socket, 'upgrade')) as [IncomingMessage]
      return response.headers['x-request-id']
    }
    expect(await idOf({})).to.match(/^[0-9a-f-]{36}$/)
    expect(await idOf({ 'X-Request-Id': 'trace-1' })).to.equal('trace-1')
    const { headers } = await scene.connect('/ws/events', { 'X-Request-Id': 'trace-2' }).refused
    expect(headers['x-request-id']).to.equal('trace-2')
  })

  it('takes a path with a slash at its end, as HTTP does', async () => {
    await scene.connect('/ws/events/?api_key=right').opened()
    for (const path of ['/ws/prompts/x/', '/ws/batches/x/', '/ws/logs/x/']) {
      await scene.connect(`${path}?api_key=right`).opened()
    }
  })

  it('accepts a ticket once, before it expires', async () => {
    const issue = (at = new Date(), key = 'right') => issueTicket(scene.store, sha256(key), at)
    const { ticket, expiresAt } = await issue()
    expect(expiresAt.getTime() - Date.now()).to.be.within(20_000, 30_000)
    await scene.connect(`/ws/events?ticket=${ticket}`).opened()
    expect((await scene.connect(`/ws/events?ticket=${ticket}`).refused).status).to.equal(401)
    const old = await issue(new Date(Date.now() - 31_000))
    expect((await scene.connect(`/ws/events?ticket=${old.ticket}`).refused).status).to.equal(401)
    const revoked = await issue(new Date(), 'no key any more')
    expect((await scene.connect(`/ws/events?ticket=${revoked.ticket}`).refused).status).to.equal(401)
    expect((await scene.connect('/ws/events?ticket=').refused).status).to.equal(401)
  })

  it('rejects clients without a key before it checks the path', async () => {
    for (const path of ['/ws/events', '/ws/prompts/x', '/ws/batches/x', '/ws/logs/x', '/ws/nothing', '/ws']) {
      for (const query of ['', '?api_key=', '?api_key=wrong']) {
        const { status, body, headers } = await scene.connect(path + query).refused
        expect(status, path).to.equal(401)
        expect(body).to.deep.equal({ detail: 'Invalid or missing API key' })
        expect(headers['content-type']).to.match(/^application\/json/)
        expect(headers['x-request-id']).to.be.a('string')
      }
    }
  })

  it('refuses pages of foreign origins, whatever key they have', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1']) {
      const { status, body } = await scene.connect('/ws/events?api_key=right', { origin }).refused
      expect([status, body]).to.deep.equal([
        403,
        { detail: 'Web pages of this origin may not use the service; to allow the origin, add it to CORS_ORIGIN.' },
      ])
    }
    expect((await scene.connect('/ws/events', { origin: 'https://evil.example' }).refused).status).to.equal(401)
    await scene.connect('/ws/events?api_key=right', { origin: scene.url.replace('ws', 'http') }).opened()
  })

  it('without keys refuses foreign pages and unknown names, and lets named ones in', async () => {
    const open = await startScene({
      uri,
      env: { CORS_ORIGIN: 'https://named.example', ALLOWED_HOSTS: 'service.example' },
    })
    try {
      const rebound = { origin: 'http://evil.example', host: 'evil.example' }
      const refused: Record<string, string>[] = [{ origin: 'https://evil.example' }, { host: 'evil.example' }, rebound]
      for (const headers of refused) {
        expect((await open.connect('/ws/events', headers).refused).status).to.equal(403)
      }
      await open.connect('/ws/events', { origin: 'https://named.example', host: 'service.example' }).opened()
      await open.connect('/ws/events').opened()
    } finally {
      await open.close()
    }
  })

  it('returns 404 for an unknown path', async () => {
    for (const path of ['/ws', '/ws/', '/ws/prompts', '/ws/prompts/', '/ws/prompts/a/b', '/ws/prompts/%ff', '/other']) {
      const { status, body } = await scene.connect(`${path}?api_key=right`).refused
      expect(status, path).to.equal(404)
      expect(body).to.have.all.keys('detail')
    }
  })

  it('answers 400 to a handshake that is malformed', async () => {
    const headers = { connection: 'upgrade', upgrade: 'websocket', 'x-api-key': 'right' }
    const [response] = await once(
      request(`${scene.url.replace('ws', 'http')}/ws/events`, { headers }).end(),
      'response',
    )
    expect(response.statusCode).to.equal(400)
    expect(JSON.parse(Buffer.concat(await response.toArray()).toString()).detail).to.be.a('string')
  })

  it('leaves a client that offers HTTP/2 to plain HTTP', async () => {
    const headers = { connection: 'upgrade', upgrade: 'h2c' }
    const [response] = await once(
      request(`${scene.url.replace('ws', 'http')}/api/health`, { headers }).end(),
      'response',
    )
    expect(response.statusCode).to.equal(200)
    await response.toArray()
  })

  it('survives a client that breaks off', async () => {
    const { port } = new URL(scene.url)
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      'GET /ws/events?api_key=right HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
    socket.resetAndDestroy()
    await scene.connect('/ws/events?api_key=right').opened()
  })

  it('ignores what clients send, and closes with 1009 when it is too much', async () => {
    const client = scene.connect('/ws/events?api_key=right')
    await client.opened()
    client.socket.send('hello')
    client.socket.send(Buffer.alloc(65_536))
    client.socket.send(Buffer.alloc(65_537))
    expect((await client.closed).code).to.equal(1009)
    expect(client.messages).to.deep.equal([])
  })

  it('closes sockets that do not respond to pings', async () => {
    const other = await startScene({ uri, pingIntervalMs: 60 })
    try {
      const alive = other.connect('/ws/events')
      const dead = other.connect('/ws/events')
      await Promise.all([alive.opened(), dead.opened()])
      dead.socket.pong = () => {}
      const pings = new Promise<void>((resolve) => {
        let count = 0
        alive.socket.on('ping', () => (count += 1) === 5 && resolve())
      })
      expect((await dead.closed).code).to.equal(1006)
      await pings
      expect(alive.socket.readyState).to.equal(alive.socket.OPEN)
    } finally {
      await other.close()
    }
  })

  it('closes with 1001 at shutdown and accepts no more clients', async () => {
    const other = await startScene({ uri })
    try {
      const clients = ['/ws/events', `/ws/prompts/${await other.execution()}`].map((path) => other.connect(path))
      await Promise.all(clients.map((client) => client.opened()))
      other.closing.abort()
      for (const client of clients) expect((await client.closed).code).to.equal(1001)
      expect((await other.connect('/ws/events').refused).status).to.equal(503)
    } finally {
      await other.close()
    }
  })
})

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
