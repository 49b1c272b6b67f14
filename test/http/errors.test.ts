import { expect } from 'chai'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import Koa from 'koa'
import { MongoClient } from 'mongodb'
import { Client, Connection } from '@temporalio/client'
import { TroupeError } from '../../core/errors.ts'
import { createLog } from '../../log.ts'
import { errors } from '../../api/http/middleware/errors.ts'
import { request } from '../support/service.ts'
import { startApp, type AppScene } from './app-scene.ts'

/** Nobody listens there. */
const NOWHERE = '127.0.0.1:1'

describe('errors', () => {
  let scene: AppScene
  before(async () => {
    scene = await startApp()
  })
  after(() => scene.close())

  it('answers an unknown path with 404 and a detail', async () => {
    const { status, body, headers } = await scene.request('GET', '/api/nothing')
    expect([status, body]).to.deep.equal([
      404,
      { detail: 'The path /api/nothing does not exist; see /docs for the interface.' },
    ])
    expect(headers.get('content-type')).to.equal('application/json; charset=utf-8')
  })

  it('answers a wrong method with 405 and the right ones', async () => {
    for (const [method, path, allow] of [
      ['DELETE', '/api/prompts', 'GET, HEAD, POST'],
      ['POST', '/api/traces/grouped', 'GET, HEAD'],
      ['GET', '/api/prompts/x/cancel', 'POST'],
      ['OPTIONS', '/api/jobs/cancel', 'POST'],
    ] as const) {
      const { status, body, headers } = await scene.request(method, path)
      expect([path, status, headers.get('allow')]).to.deep.equal([path, 405, allow])
      expect(body.detail).to.be.a('string')
    }
  })

  it('answers broken percent-encoding with 400, and NUL in an id with 404', async () => {
    expect((await scene.request('GET', '/api/prompts/%zz')).status).to.equal(400)
    expect((await scene.request('GET', '/api/prompts/a%00b')).status).to.equal(404)
    expect((await scene.request('POST', '/api/agents/a%00b/batch', { tasks: [{}] })).status).to.equal(404)
  })

  it('answers a query that is not UTF-8 with 400, and takes a percent sign as it is', async () => {
    for (const query of ['%ff', 'caf%E9', '%ED%A0%80', '%C3&x=%A9']) {
      const { status, body } = await scene.request('GET', `/api/traces?agent_name=${query}`)
      expect([query, status, body.detail]).to.deep.equal([query, 400, 'The query is not encoded as UTF-8.'])
    }
    for (const query of ['100%', '%', '%zz', 'caf%C3%A9', '%F0%9F%98%80+%25']) {
      expect((await scene.request('GET', `/api/traces?agent_name=${query}`)).status, query).to.equal(200)
    }
  })

  it('answers HEAD like GET, without a body', async () => {
    for (const [path, status] of [
      ['/api/agents', 200],
      ['/api/prompts/none', 404],
    ] as const) {
      const answer = await scene.request('HEAD', path)
      expect([answer.status, answer.body]).to.deep.equal([status, ''])
    }
  })

  describe('of requests that name no host', () => {
    const raw = async (text: string): Promise<string> => {
      const socket = connect(Number(new URL(scene.url).port), '127.0.0.1')
      socket.write(text)
      return Buffer.concat(await socket.toArray()).toString()
    }

    it('HTTP/1.1 is answered 400 with a detail and a request id', async () => {
      const answer = await raw('GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n')
      expect(answer)
        .to.match(/^HTTP\/1\.1 400 /)
        .and.to.match(/\r\nX-Request-Id: \S+\r\n/)
      expect(answer).to.contain('{"detail":"The Host header is required."}')
    })

    it('HTTP/1.0 is served, as health checks need it', async () => {
      expect(await raw('GET /api/health HTTP/1.0\r\n\r\n')).to.match(/^HTTP\/1\.1 200 /)
    })

    it('CONNECT is answered 405 with what is allowed', async () => {
      const answer = await raw('CONNECT localhost:1 HTTP/1.1\r\nHost: localhost:1\r\n\r\n')
      expect(answer)
        .to.match(/^HTTP\/1\.1 405 /)
        .and.to.match(/\r\nAllow: GET, HEAD, POST, DELETE\r\n/)
      expect(answer)
        .to.match(/\r\nX-Request-Id: /)
        .and.to.contain('{"detail":"CONNECT is not allowed')
    })
  })

  it('shows nothing of an unexpected error; the log has it under the request id', async () => {
    await scene.store.agents.insertOne({
      ...{
        _id: 'corrupt|nobody',
        name: 'corrupt',
        role: '',
        goal: '',
        pool: 'nobody',
        kind: 'code',
        last_seen: new Date(),
      },
      tools: [{ name: 'x', description: '', parameters: '{not json' }],
    })
    const { status, body, headers } = await scene.request('GET', '/api/agents/corrupt/tools')
    expect([status, body]).to.deep.equal([500, { detail: 'Internal server error' }])
    const line = scene.logged.find(({ msg, requestId }) => {
      return msg === 'request failed' && requestId === headers.get('x-request-id')
    })
    expect((line?.err as { stack: string }).stack).to.match(/SyntaxError/)
  })

  describe('from servers that cannot be reached', () => {
    const answerTo = async (work: () => Promise<unknown>) => {
      const app = new Koa().use(errors(createLog('test', 'silent'))).use(work)
      const server = createServer(app.callback()).listen(0, '127.0.0.1')
      await once(server, 'listening')
      try {
        return await request(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'GET', '/')
      } finally {
        server.closeAllConnections()
        server.close()
      }
    }

    it('is 503 with Retry-After for MongoDB', async () => {
      const mongo = new MongoClient(`mongodb://${NOWHERE}`, { serverSelectionTimeoutMS: 100 })
      const { status, body, headers } = await answerTo(() => mongo.db('x').collection('x').findOne())
      expect([status, headers.get('retry-after')]).to.deep.equal([503, '2'])
      expect(body.detail).to.match(/database/)
      await mongo.close()
    })

    it('is 503 with Retry-After for Temporal', async () => {
      const connection = Connection.lazy({ address: NOWHERE, connectTimeout: 200 })
      const client = new Client({ connection })
      const { status, headers } = await answerTo(() =>
        client.withDeadline(Date.now() + 300, () => client.workflow.getHandle('x').describe()),
      )
      expect([status, headers.get('retry-after')]).to.deep.equal([503, '2'])
      await connection.close()
    })

    it('is 502 for the object store and 503 without Retry-After for the container engine', async () => {
      for (const [code, status] of [
        ['storage_failed', 502],
        ['engine_unavailable', 503],
      ] as const) {
        const answer = await answerTo(() => Promise.reject(new TroupeError(code, 'Gone.')))
        expect([answer.status, answer.body, answer.headers.get('retry-after')]).to.deep.equal([
          status,
          { detail: 'Gone.' },
          null,
        ])
      }
    })
  })
})
