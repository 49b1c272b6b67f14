import { expect } from 'chai'
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { isForeignPage, isKnownHost } from '../../api/http/origins.ts'
import { AGENT, startApp, type AppScene } from './app-scene.ts'

const rules = { HOST: 'board', CORS_ORIGIN: ['https://named.example'], ALLOWED_HOSTS: ['Service.example', 'api:8000'] }

describe('Pages of the web', () => {
  const cases: [what: string, headers: IncomingHttpHeaders, foreign: boolean][] = [
    ['a client that is no browser', { host: 'x:8000' }, false],
    ['a page of the service', { host: 'localhost:8000', origin: 'http://localhost:8000' }, false],
    ['a page of the service behind a TLS proxy', { host: 'x.example', origin: 'https://x.example' }, false],
    ['a page under the default port', { host: 'x.example:443', origin: 'https://x.example' }, false],
    ['a page that is named', { host: 'x', origin: 'https://named.example' }, false],
    ['a page of another port', { host: 'localhost:8000', origin: 'http://localhost:3000' }, true],
    ['a page of another host', { host: 'localhost:8000', origin: 'https://evil.example' }, true],
    ['a sandboxed page', { host: 'localhost:8000', origin: 'null' }, true],
    ['an origin that is none', { host: 'localhost:8000', origin: 'x y' }, true],
    ['an empty origin', { host: 'localhost:8000', origin: '' }, true],
    ['an image on a foreign page', { host: 'localhost:8000', 'sec-fetch-site': 'cross-site' }, true],
    ['an image on a page of another port', { host: 'localhost:8000', 'sec-fetch-site': 'same-site' }, true],
    ['an address that a person typed', { host: 'localhost:8000', 'sec-fetch-site': 'none' }, false],
    ['an image on an own page', { host: 'localhost:8000', 'sec-fetch-site': 'same-origin' }, false],
  ]
  for (const [what, headers, foreign] of cases) {
    it(`are ${foreign ? 'foreign' : 'let in'}: ${what}`, () => {
      expect(isForeignPage(headers, rules)).to.equal(foreign)
    })
  }

  it('are all let in where CORS_ORIGIN is *', () => {
    const headers = { host: 'x', origin: 'https://evil.example' }
    expect(isForeignPage(headers, { ...rules, CORS_ORIGIN: ['*'] })).to.equal(false)
  })
})

describe('Names of a service without keys', () => {
  for (const host of ['localhost', 'LOCALHOST:8000', 'app.localhost', '127.0.0.1:8000', '192.168.1.7', '[::1]:8000']) {
    it(`are known: ${host}`, () => expect(isKnownHost({ host }, rules)).to.equal(true))
  }
  for (const host of ['board:8000', 'service.example', 'service.example.:443', 'api']) {
    it(`are known because they are set: ${host}`, () => expect(isKnownHost({ host }, rules)).to.equal(true))
  }
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'x y', 'notlocalhost']) {
    it(`are unknown: ${host}`, () => expect(isKnownHost({ host }, rules)).to.equal(false))
  }
})

describe('A service without keys', () => {
  let scene: AppScene
  before(async () => {
    scene = await startApp({ CORS_ORIGIN: 'https://named.example', ALLOWED_HOSTS: 'service.example' })
  })
  after(() => scene.close())

  const prompt = { prompt_name: AGENT, inputs: {} }
  const executions = () => scene.store.executions.countDocuments()
  const refused = {
    detail: 'Web pages of this origin may not use the service; to allow the origin, add it to CORS_ORIGIN.',
  }

  it('refuses what a foreign page sends to change something, and starts nothing', async () => {
    const before = await executions()
    const foreign = { origin: 'https://evil.example' }
    for (const [method, path, body, headers] of [
      ['POST', '/api/prompts', prompt, foreign],
      // What a browser sends without asking first: no type, or one of a form.
      ['POST', '/api/prompts', JSON.stringify(prompt), { ...foreign, 'content-type': '' }],
      ['POST', '/api/prompts/x/cancel', undefined, foreign],
      ['GET', `/api/agents/${AGENT}/chat?message=x&wait=false`, undefined, foreign],
      ['GET', `/api/agents/${AGENT}/chat?message=x&wait=false`, undefined, { 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      const answer = await scene.request(method, path, body, headers)
      expect([path, answer.status, answer.body]).to.deep.equal([path, 403, refused])
    }
    expect(await executions()).to.equal(before)
  })

  it('serves its own pages, named ones, and reads that no page can look at', async () => {
    for (const origin of [scene.url, 'https://named.example']) {
      expect((await scene.request('POST', '/api/prompts', prompt, { origin })).status).to.equal(200)
    }
    const read = await scene.request('GET', '/api/prompts', undefined, { origin: 'https://evil.example' })
    expect([read.status, read.headers.get('access-control-allow-origin')]).to.deep.equal([200, null])
  })

  it('answers only under names that nobody else owns', async () => {
    const under = async (host: string): Promise<number | undefined> => {
      const sent = request(`${scene.url}/api/prompts`, { headers: { host } }).end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      await response.toArray()
      return response.statusCode
    }
    expect(await under('evil.example')).to.equal(403)
    expect(await under('service.example:8000')).to.equal(200)
    expect(await under('10.0.0.7:8000')).to.equal(200)
  })
})
