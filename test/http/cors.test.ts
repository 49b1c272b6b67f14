import { expect } from 'chai'
import { startApp, type AppScene } from './app-scene.ts'

const origin = 'https://board.example'
const preflight = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' }

describe('CORS', () => {
  let scene: AppScene
  let closed: AppScene
  before(async () => {
    scene = await startApp({ CORS_ORIGIN: `https://other.example,${origin}`, SERVICE_API_KEY: 'secret' })
    closed = await startApp()
  })
  after(async () => {
    await scene.close()
    await closed.close()
  })

  const corsHeaders = (headers: Headers): string[] =>
    [...headers.keys()].filter((name) => name.startsWith('access-control-'))

  it('answers a preflight from a named origin without a key', async () => {
    const { status, headers } = await scene.request('OPTIONS', '/api/prompts', undefined, preflight)
    expect(status).to.equal(204)
    expect(headers.get('access-control-allow-origin')).to.equal(origin)
    expect(headers.get('access-control-allow-headers')).to.match(/X-API-Key/)
    expect(headers.get('access-control-allow-methods')).to.match(/POST/)
    expect(headers.get('access-control-allow-credentials')).to.equal(null)
    expect(headers.get('vary')).to.match(/Origin/)
  })

  it('lets a named origin read answers, errors included', async () => {
    for (const key of ['secret', 'wrong']) {
      const { headers } = await scene.request('GET', '/api/agents', undefined, { origin, 'x-api-key': key })
      expect(headers.get('access-control-allow-origin')).to.equal(origin)
      expect(headers.get('access-control-expose-headers')).to.match(/X-Request-Id/)
    }
  })

  it('says nothing to other origins', async () => {
    const strange = { ...preflight, origin: 'https://evil.example' }
    const { status, headers } = await scene.request('OPTIONS', '/api/prompts', undefined, strange)
    expect(status).to.equal(401)
    expect(corsHeaders(headers)).to.deep.equal([])
  })

  it('is off when no origins are named', async () => {
    const { status, headers } = await closed.request('OPTIONS', '/api/prompts', undefined, preflight)
    expect(status).to.equal(405)
    expect(corsHeaders(headers)).to.deep.equal([])
  })
})
