import { expect } from 'chai'
import { startApp, type AppScene } from './app-scene.ts'

describe('request id and log', () => {
  let scene: AppScene
  before(async () => {
    scene = await startApp({ SERVICE_API_KEY: 'secret' })
  })
  after(() => scene.close())

  const idOf = async (given?: string): Promise<string | null> => {
    const headers = given === undefined ? {} : { 'x-request-id': given }
    return (await scene.request('GET', '/api/health', undefined, headers as never)).headers.get('x-request-id')
  }

  it('keeps the id of the caller when it is short and safe', async () => {
    expect(await idOf('trace-1.A_b')).to.equal('trace-1.A_b')
  })

  it('gives a new one otherwise', async () => {
    for (const given of [undefined, 'a b', '<script>', 'x'.repeat(65)]) {
      expect(await idOf(given)).to.match(/^[0-9a-f-]{36}$/)
    }
  })

  it('logs each request without its query and keys', async () => {
    const headers = { 'x-request-id': 'findme', 'x-api-key': 'secret' }
    await scene.request('GET', '/api/agents?api_key=hidden', undefined, headers)
    const line = scene.logged.find(({ requestId }) => requestId === 'findme')
    expect(line).to.deep.include({ msg: 'request', method: 'GET', path: '/api/agents', status: 200 })
    expect(JSON.stringify(scene.logged)).not.to.match(/hidden|secret/)
  })
})
