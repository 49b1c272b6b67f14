import { expect } from 'chai'
import { gzipSync } from 'node:zlib'
import { startApp, type AppScene } from './app-scene.ts'

describe('bodies', () => {
  let scene: AppScene
  before(async () => {
    scene = await startApp({ MAX_BODY_BYTES: '20000' })
  })
  after(() => scene.close())

  const post = async (body: string | Buffer | undefined, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
    const response = await fetch(`${scene.url}/api/prompts`, { ...init, ...(body === undefined ? {} : { body }) })
    return { status: response.status, body: (await response.json()) as { detail: string; prompt_id: string } }
  }
  const inputsOf = async (id: string): Promise<string> =>
    JSON.stringify((await scene.request('GET', `/api/prompts/${id}`)).body.inputs)

  it('come back as they were sent, whatever they hold', async () => {
    const inputs =
      '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"$where":"$x","a.b":[{"__proto__":null}],' +
      '"":"\\u0000 é 🎭 \\ud800","n":[0.1,-1e+21,1e-7,true,null]}'
    const { status, body } = await post(`{"prompt_name":"tester","inputs":${inputs}}`)
    expect(status).to.equal(200)
    expect(await inputsOf(body.prompt_id)).to.equal(JSON.stringify(JSON.parse(inputs)))
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined)
  })

  it('may be nested 64 levels deep and no deeper', async () => {
    const nested = (levels: number): string => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1)
    const deep = await post(`{"prompt_name":"tester","inputs":${nested(64)}}`)
    expect(deep.status).to.equal(200)
    expect(await inputsOf(deep.body.prompt_id)).to.equal(nested(64))
    const deeper = await post(`{"prompt_name":"tester","inputs":${nested(65)}}`)
    expect(deeper.status).to.equal(400)
    expect(deeper.body.detail).to.match(/^inputs must not be nested/)
    expect((await post('['.repeat(9_000))).status).to.equal(400)
  })

  for (const [what, body, headers, detail] of [
    ['no body', undefined, {}, /required/],
    ['an empty body', '', {}, /required/],
    ['no JSON', '{oops', {}, /not valid JSON/],
    ['a scalar', '5', {}, /must be an object/],
    ['an array', '[]', {}, /must be an object/],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, /application\/json/],
    ['text', '{}', { 'content-type': 'text/plain' }, /application\/json/],
    ['broken compression', 'zzz', { 'content-encoding': 'gzip' }, /not valid JSON/],
  ] as const) {
    it(`are 400 when they are ${what}`, async () => {
      const answer = await post(body, headers as Record<string, string>)
      expect(answer.status).to.equal(400)
      expect(answer.body.detail).to.match(detail)
    })
  }

  it('may be compressed, and of any type that is JSON', async () => {
    const body = JSON.stringify({ prompt_name: 'tester', inputs: {} })
    expect((await post(gzipSync(body), { 'content-encoding': 'gzip' })).status).to.equal(200)
    expect((await post(body, { 'content-type': 'application/json; charset=utf-8' })).status).to.equal(200)
    expect((await post(Buffer.from(body), { 'content-type': '' })).status).to.equal(200)
  })

  it('are 413 above the limit, also when they are compressed', async () => {
    const large = JSON.stringify({ prompt_name: 'tester', inputs: { text: 'x'.repeat(30_000) } })
    for (const answer of [await post(large), await post(gzipSync(large), { 'content-encoding': 'gzip' })]) {
      expect([answer.status, answer.body.detail]).to.deep.equal([413, 'The body is larger than 20000 bytes.'])
    }
  })
})
