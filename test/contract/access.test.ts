import { expect } from 'chai'
import { request, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

const ENDPOINTS = [
  'GET /api/health',
  'POST /api/prompts',
  'GET /api/prompts',
  'GET /api/prompts/x',
  'POST /api/prompts/x/cancel',
  'POST /api/jobs',
  'GET /api/jobs',
  'GET /api/jobs/x',
  'POST /api/jobs/x/cancel',
  'POST /api/jobs/x/replay',
  'DELETE /api/jobs/x',
  'DELETE /api/batches/x',
  'POST /api/agents/instant/batch',
  'POST /api/batches/x/add-tasks',
  'POST /api/batches/x/cancel',
  'GET /api/batches/x',
  'GET /api/batches',
  'GET /api/agents',
  'GET /api/agents/instant/chat?message=x',
  'POST /api/agents/instant/chat',
  'GET /api/agents/instant/tools',
  'GET /api/traces',
  'GET /api/traces/grouped',
  'GET /api/traces/1',
  'GET /api/metrics',
  'GET /api/metrics/series',
  'GET /api/traces/outline?job_id=x',
  'GET /api/batches/x/grid',
  'GET /api/batches/x/tasks',
  'POST /api/jobs/cancel',
  'POST /api/stream-tickets',
  'GET /api/about',
  'GET /api/keys',
  'GET /api/limits',
  'DELETE /api/cache',
  'GET /api/responses/x/resolved',
  'GET /api/logs/containers',
  'GET /api/logs/containers/x',
]

describe('Access with keys', function () {
  this.timeout(120_000)
  let service: TestService

  before(async () => {
    service = await startScene({
      env: { SERVICE_API_KEY: 'first-key, second-key', CORS_ORIGIN: 'https://board.example' },
    })
  })
  after(() => service.stop())

  const refused = async (line: string, headers: Record<string, string> = {}, body?: unknown) => {
    const [method = '', path = ''] = line.split(' ')
    const answer = await service.request(method, path, body, headers)
    expect(answer.status, `${line} ${JSON.stringify(headers)}`).to.equal(401)
    expect(answer.body).to.deep.equal({ detail: 'Invalid or missing API key' })
    expect(answer.headers.get('www-authenticate')).to.be.a('string')
  }

  it('needs a key on every endpoint', async () => {
    for (const line of ENDPOINTS) await refused(line)
    const documented = Object.entries((await service.request('GET', '/openapi.json')).body.paths as object).flatMap(
      ([path, methods]) => Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented).to.have.length(ENDPOINTS.length)
  })

  it('is refused before anything else is looked at', async () => {
    await refused('GET /api')
    await refused('GET /api/nothing/here')
    await refused('DELETE /api/prompts')
    await refused('PUT /api/health')
    await refused('GET /api/%zz')
    await refused('GET /api/prompts?limit=none')
    await refused('GET /ws/events')
    await refused('POST /api/prompts', {}, '{broken')
    await refused('POST /api/prompts', { 'content-type': 'text/plain' }, 'x')
    await refused('POST /api/prompts', { 'idempotency-key': '' }, {})
    await refused('POST /api/prompts', {}, JSON.stringify({ inputs: { text: 'x'.repeat(40_000_000) } }))
  })

  it('is granted for each key, in either header, the scheme in any case', async () => {
    const granted: Record<string, string>[] = [
      { 'x-api-key': 'first-key' },
      { 'x-api-key': 'second-key' },
      { authorization: 'Bearer first-key' },
      { authorization: 'bearer second-key' },
      { authorization: 'BEARER first-key' },
      { 'x-api-key': 'wrong', authorization: 'Bearer first-key' },
      { 'x-api-key': 'second-key', authorization: 'Bearer wrong' },
      { 'x-api-key': 'first-key', authorization: 'Basic eDp5' },
    ]
    for (const headers of granted) {
      const { status } = await service.request('GET', '/api/health', undefined, headers)
      expect(status, JSON.stringify(headers)).to.equal(200)
    }
  })

  it('is refused for what is not a key', async () => {
    const wrong: Record<string, string>[] = [
      { 'x-api-key': '' },
      { 'x-api-key': 'first-ke' },
      { 'x-api-key': 'first-key2' },
      { 'x-api-key': 'FIRST-KEY' },
      { authorization: 'first-key' },
      { authorization: 'Basic first-key' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
    ]
    for (const headers of wrong) await refused('GET /api/health', headers)
    await refused('GET /api/health?api_key=first-key')
  })

  it('with a valid key gets the normal responses', async () => {
    const key = { 'x-api-key': 'second-key' }
    expect((await service.request('GET', '/api/nothing', undefined, key)).status).to.equal(404)
    expect((await service.request('DELETE', '/api/prompts', undefined, key)).status).to.equal(405)
    expect((await service.request('POST', '/api/prompts', '{', key)).status).to.equal(400)
    const job = await service.request('POST', '/api/jobs', { pipeline_name: 'instant', inputs: {} }, key)
    expect(job.body.status).to.equal('success')
  })

  it('to the documentation needs no key', async () => {
    const { status, body } = await service.request('GET', '/openapi.json')
    expect(status).to.equal(200)
    expect(body.openapi).to.match(/^3\.1/)
    const page = await request(service.api.url, 'GET', '/docs')
    expect(page.status).to.equal(200)
    expect(page.headers.get('content-type')).to.match(/^text\/html/)
    expect(page.body).to.contain('openapi.json')
    for (const file of ['start.js', 'swagger-ui-bundle.js', 'swagger-ui.css']) {
      expect((await request(service.api.url, 'GET', `/docs/${file}`)).status, file).to.equal(200)
    }
  })

  it('never writes a key into the log', async () => {
    const logs = (await service.api.logs()) + (await service.worker.logs())
    expect(logs).not.to.contain('first-key').and.not.to.contain('second-key')
  })

  describe('from a browser', () => {
    const preflight = (origin: string) => ({
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key,content-type,idempotency-key',
    })
    const options = (headers: Record<string, string>) =>
      fetch(`${service.api.url}/api/prompts`, { method: 'OPTIONS', headers })

    it('is asked for without a key, by a named origin', async () => {
      const response = await options(preflight('https://board.example'))
      expect(response.status).to.equal(204)
      expect(response.headers.get('access-control-allow-origin')).to.equal('https://board.example')
      expect(response.headers.get('access-control-allow-credentials')).to.equal(null)
      const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase()
      for (const name of ['x-api-key', 'content-type', 'idempotency-key', 'authorization']) {
        expect(allowed).to.contain(name)
      }
    })

    it('lets a named origin read errors too, and others nothing', async () => {
      const named = await service.request('GET', '/api/health', undefined, { origin: 'https://board.example' })
      expect(named.status).to.equal(401)
      expect(named.headers.get('access-control-allow-origin')).to.equal('https://board.example')
      const other = await service.request('GET', '/api/health', undefined, {
        origin: 'https://other.example',
        'x-api-key': 'first-key',
      })
      expect(other.status).to.equal(200)
      expect(other.headers.get('access-control-allow-origin')).to.equal(null)
      const refusedPreflight = await options(preflight('https://other.example'))
      expect(refusedPreflight.status).to.equal(401)
      expect(refusedPreflight.headers.get('access-control-allow-origin')).to.equal(null)
    })
  })
})

describe('Access without keys', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await startScene()
  })
  after(() => service.stop())

  it('is open, whatever credentials are sent', async () => {
    const any: Record<string, string>[] = [
      {},
      { 'x-api-key': 'any' },
      { authorization: 'Bearer any' },
      { authorization: 'nonsense' },
    ]
    for (const headers of any) {
      expect((await service.request('GET', '/api/health', undefined, headers)).status).to.equal(200)
    }
  })

  it('has no CORS unless origins are named', async () => {
    const { headers } = await service.request('GET', '/api/health', undefined, { origin: 'https://board.example' })
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).to.deep.equal([])
    const response = await fetch(`${service.api.url}/api/prompts`, {
      method: 'OPTIONS',
      headers: { origin: 'https://board.example', 'access-control-request-method': 'POST' },
    })
    expect(response.status).to.equal(405)
    expect(((await response.json()) as { detail: string }).detail).to.be.a('string')
  })
})
