import { expect } from 'chai'
import { createApiKeys } from '../../api/http/api-keys.ts'
import { startApp, type AppScene } from './app-scene.ts'

const keysOf = (keys: string[]) => createApiKeys({ SERVICE_API_KEY: keys, API_KEYS_FILE: undefined })
const keys = keysOf(['alpha', 'clé'])

describe('authentication', () => {
  describe('by keys', () => {
    const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
    for (const [what, headers, query, expected] of [
      ['nothing', {}, '', false],
      ['a right X-API-Key', { 'x-api-key': 'alpha' }, '', true],
      ['a wrong X-API-Key', { 'x-api-key': 'alph' }, '', false],
      ['an empty X-API-Key', { 'x-api-key': '' }, '', false],
      ['the second key, in UTF-8', { 'x-api-key': bytes('clé') }, '', true],
      ['a repeated X-API-Key with one right', { 'x-api-key': 'wrong, alpha' }, '', true],
      ['a Bearer', { authorization: 'Bearer alpha' }, '', true],
      ['a Bearer in another case', { authorization: 'bEARER alpha' }, '', true],
      ['another scheme', { authorization: 'Basic alpha' }, '', false],
      ['a key without a scheme', { authorization: 'alpha' }, '', false],
      ['a wrong X-API-Key beside a right Bearer', { 'x-api-key': 'no', authorization: 'Bearer alpha' }, '', true],
      ['a right query', {}, 'api_key=alpha', true],
      ['a wrong query', {}, 'api_key=beta', false],
    ] as const) {
      it(`${expected ? 'takes' : 'refuses'} ${what}`, () => {
        expect(keys.identify(headers, new URLSearchParams(query)) !== undefined).to.equal(expected)
      })
    }

    it('takes anything when there are no keys', () => {
      expect(keysOf([]).identify({ 'x-api-key': 'anything' })).to.include({ name: null, role: 'admin' })
    })
  })

  describe('on HTTP', () => {
    let scene: AppScene
    before(async () => {
      scene = await startApp({ SERVICE_API_KEY: 'alpha, beta' })
    })
    after(() => scene.close())

    const refused = { detail: 'Invalid or missing API key' }

    it('is checked before everything else', async () => {
      for (const [method, path, body] of [
        ['GET', '/api/health'],
        ['GET', '/api/nothing'],
        ['GET', '/API/health'],
        ['GET', '/api'],
        ['GET', '/ws/events'],
        ['DELETE', '/api/prompts'],
        ['GET', '/api/prompts/%zz'],
        ['GET', '/api/prompts?limit=none'],
        ['POST', '/api/prompts', '{oops'],
      ] as const) {
        const answer = await scene.request(method, path, body)
        expect([path, answer.status, answer.body]).to.deep.equal([path, 401, refused])
        expect(answer.headers.get('www-authenticate')).to.equal('Bearer')
        expect(answer.headers.get('x-request-id')).to.be.a('string')
      }
    })

    it('takes each key, in either header', async () => {
      for (const headers of [{ 'x-api-key': 'alpha' }, { authorization: 'bearer beta' }]) {
        expect((await scene.request('GET', '/api/agents', undefined, headers as never)).status).to.equal(200)
      }
    })

    it('prevents shared caches from storing responses', async () => {
      for (const headers of [{ 'x-api-key': 'alpha' }, undefined]) {
        const answer = await fetch(`${scene.url}/api/prompts`, headers && { headers })
        expect(answer.headers.get('cache-control')).to.equal('no-store')
      }
    })

    it('does not take a key in the query', async () => {
      expect((await scene.request('GET', '/api/agents?api_key=alpha')).status).to.equal(401)
    })

    it('is not required for the documentation', async () => {
      for (const path of ['/openapi.json', '/docs']) expect((await scene.request('GET', path)).status).to.equal(200)
    })
  })
})
