import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
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
    ['not UTF-8', Buffer.from('{"prompt_name":"tester","inputs":{"x":"caf\xe9"}}', 'latin1'), {}, /UTF-8/],
    ['cut off inside a character', Buffer.from('"\u{1f600}"').subarray(0, 3), {}, /UTF-8|not valid JSON/],
    ['broken compression', 'zzz', { 'content-encoding': 'gzip' }, /not valid JSON/],
    ['compressed otherwise', 'zzz', { 'content-encoding': 'zstd' }, /is not gzip, deflate or br/],
  ] as const) {
    it(`are 400 when they are ${what}`, async () => {
      const answer = await post(body, headers as Record<string, string>)
      expect(answer.status).to.equal(400)
      expect(answer.body.detail).to.match(detail)
    })
  }

  it('may hold U+FFFD, characters that come in two pieces, and text that looks like a large number', async () => {
    const inputs = JSON.stringify({ text: 'a \ufffd and 🎭, 1e999', n: 1e300, digits: '9'.repeat(400) })
    const bytes = Buffer.from(`{"prompt_name":"tester","inputs":${inputs}}`)
    const cut = bytes.indexOf(0x9f)
    const pieces = new ReadableStream({
      async start(controller) {
        controller.enqueue(bytes.subarray(0, cut))
        await sleep(50)
        controller.enqueue(bytes.subarray(cut))
        controller.close()
      },
    })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: pieces, duplex: 'half' }
    const response = await fetch(`${scene.url}/api/prompts`, init as RequestInit)
    expect(response.status).to.equal(200)
    const { prompt_id: id } = (await response.json()) as { prompt_id: string }
    expect(await inputsOf(id)).to.equal(inputs)
  })

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

  it('are 413 when parsing them would hold up all others', async () => {
    const open = await startApp()
    const deep = (count: number, item: string): string =>
      `{"prompt_name":"tester","inputs":{"x":[${`${item},`.repeat(count)}0]}}`
    const send = (body: string) =>
      fetch(`${open.url}/api/prompts`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    try {
      const refused = await send(deep(11_000_000, '{}'))
      expect(refused.status).to.equal(413)
      expect(await refused.json()).to.deep.equal({ detail: 'The body contains more than 1000000 objects and arrays.' })
      const names = `{${Array.from({ length: 600_000 }, (_, index) => `"k${index}":1`).join(',')}}`
      expect(await (await send(deep(1, names))).json()).to.deep.equal({
        detail: 'The body contains more than 500000 distinct field names.',
      })
      const ids = await send(deep(200_000, '1234567890123456789'))
      expect(ids.status).to.equal(200)
      const long = await send(deep(600_000, '1e100'))
      expect(long.status).to.equal(413)
      expect(await long.json()).to.deep.equal({
        detail:
          'The body contains more than 500000 numbers with more digits than a double can represent; send them as strings.',
      })
      // Brackets within strings are text.
      expect((await send(deep(400_000, String.raw`"{[\"{["`))).status).to.equal(200)
    } finally {
      await open.close()
    }
  })

  it('harm nobody when they are too large and broken at once', async () => {
    for (let size = 20_000; size < 60_000; size += 1_300) {
      const zipped = gzipSync(randomBytes(size).toString('latin1').slice(0, size))
      // The checksum is at the end.
      zipped.writeUInt32LE(0, zipped.length - 8)
      const { status } = await post(zipped, { 'content-encoding': 'gzip' })
      expect(status, String(size)).to.be.oneOf([400, 413])
    }
    expect((await post('', {})).status).to.equal(400)
  })

  it('that broke off inside of their compression hold nothing', async () => {
    const zipped = gzipSync(randomBytes(15_000).toString('hex').slice(0, 19_000))
    const socket = connect(Number(new URL(scene.url).port), '127.0.0.1')
    const head = `POST /api/prompts HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`
    socket.end(Buffer.concat([Buffer.from(head), zipped.subarray(0, 5_000)]))
    socket.resume()
    await once(socket, 'close')
    expect((await post('', {})).status).to.equal(400)
  })

  it('leave the connection to the next request, also when they were too large and came in pieces', async () => {
    const socket = connect(Number(new URL(scene.url).port), '127.0.0.1').setEncoding('utf8')
    const head =
      'POST /api/prompts HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    let received = ''
    socket.on('data', (text: string) => (received += text))
    socket.write(head + chunk + chunk)
    while (!received.includes('larger than')) await once(socket, 'data')
    socket.write(`${chunk.repeat(20)}0\r\n\r\nGET /api/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    while (!received.includes('does not exist')) await once(socket, 'data')
    socket.destroy()
    expect(received.match(/HTTP\/1.1 \d+/g)).to.deep.equal(['HTTP/1.1 413', 'HTTP/1.1 404'])
  })
})
