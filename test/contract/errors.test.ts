import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

const LISTS = [
  ['/api/prompts', 50],
  ['/api/jobs', 50],
  ['/api/batches', 50],
  ['/api/traces', 100],
  ['/api/traces/grouped', 50],
  ['/api/agents', 1_000],
] as const

describe('Errors and limits', function () {
  this.timeout(120_000)
  let service: TestService
  const get = (path: string) => service.request('GET', path)
  const ofItems = (body: Record<string, unknown>) =>
    Object.values(body).find(Array.isArray) as Record<string, unknown>[]
  const idOf = (item: Record<string, unknown>) => item.prompt_id ?? item.batch_id ?? item.id ?? item.job_id ?? item.name

  before(async () => {
    service = await startScene()
    for (let n = 0; n < 7; n += 1) {
      await service.request('POST', '/api/prompts', { prompt_name: 'instant', inputs: { n } })
      await service.request('POST', '/api/agents/instant/batch', { tasks: [{ n }], wait: true })
    }
  })
  after(() => service.stop())

  it('answer unknown paths with 404', async () => {
    for (const path of ['/api', '/api/', '/api/nothing', '/api/prompts/a/b', '/API/prompts', '/ws/nothing']) {
      const { status, body } = await get(path)
      expect(status, path).to.equal(404)
      expect(body.detail).to.be.a('string')
    }
  })

  it('answer wrong methods with 405 and the right ones', async () => {
    for (const [method, path, allowed] of [
      ['DELETE', '/api/prompts', ['GET', 'HEAD', 'POST']],
      ['PUT', `/api/prompts/${randomUUID()}`, ['GET', 'HEAD']],
      ['GET', `/api/prompts/${randomUUID()}/cancel`, ['POST']],
      ['PATCH', '/api/metrics', ['GET', 'HEAD']],
      ['POST', '/api/health', ['GET', 'HEAD']],
      ['GET', '/api/agents/instant/batch', ['POST']],
      ['POST', '/openapi.json', ['GET', 'HEAD']],
    ] as const) {
      const { status, headers, body } = await service.request(method, path)
      expect(status, `${method} ${path}`).to.equal(405)
      expect(headers.get('allow')?.split(', ').sort()).to.deep.equal([...allowed])
      expect(body.detail).to.contain(method)
    }
  })

  it('answer HEAD like GET without a body, and start nothing by it', async () => {
    const path = `${service.api.url}/api/agents/instant/chat?message=x`
    const before = await service.store.executions.countDocuments()
    const chat = await fetch(path, { method: 'HEAD' })
    expect([chat.status, chat.headers.get('allow')]).to.deep.equal([405, 'GET, POST'])
    expect(await service.store.executions.countDocuments()).to.equal(before)
    const health = await fetch(`${service.api.url}/api/health`, { method: 'HEAD' })
    expect([health.status, await health.text()]).to.deep.equal([200, ''])
    expect(health.headers.get('content-type')).to.match(/^application\/json/)
  })

  it('refuse a body that says it is something else, also where none is needed', async () => {
    const path = `/api/prompts/${randomUUID()}/cancel`
    expect((await service.request('POST', path, 'x', { 'content-type': 'text/plain' })).status).to.equal(400)
    expect((await service.request('POST', path, '{')).status).to.equal(400)
    for (const body of [undefined, {}, { any: 1 }])
      expect((await service.request('POST', path, body)).status).to.equal(404)
  })

  it('refuse a long run of digits as a timeout', async () => {
    const { status, body } = await get(`/api/agents/instant/chat?message=x&timeout=${'1'.repeat(15_500)}x`)
    expect(status).to.equal(400)
    expect(body.detail).to.contain('timeout')
  })

  it('refuse bodies that are no JSON, or say that they are something else', async () => {
    const good = JSON.stringify({ prompt_name: 'instant', inputs: {} })
    const send = (body: string | undefined, type?: string) =>
      service.request('POST', '/api/prompts', body, type === undefined ? {} : { 'content-type': type })
    for (const body of ['', '{', '[]', '"x"', '7', 'null', `${good}x`, '{"a":NaN}', '\ufeff', '<a/>']) {
      expect((await send(body)).status, body).to.equal(400)
    }
    expect((await send(undefined)).status).to.equal(400)
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const { status, body } = await send(good, type)
      expect(status, type).to.equal(400)
      expect(body.detail).to.contain('JSON')
    }
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/vnd.x+json',
    ]) {
      expect((await send(good, type)).status, type).to.equal(200)
    }
  })

  it('ignore what they do not know', async () => {
    const body = { prompt_name: 'instant', inputs: { a: 1 }, future: { deep: [1] }, __proto__x: 1 }
    expect((await service.request('POST', '/api/prompts?colour=red', body)).status).to.equal(200)
    expect((await get('/api/health?limit=-1')).status).to.equal(200)
  })

  it('refuse a body above the limit, plain or compressed', async () => {
    const large = JSON.stringify({ prompt_name: 'instant', inputs: { text: 'x'.repeat(33_554_432) } })
    const plain = await service.request('POST', '/api/prompts', large)
    expect(plain.status).to.equal(413)
    expect(plain.body.detail).to.contain('33554432')
    const response = await fetch(`${service.api.url}/api/prompts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(large),
    })
    expect(response.status).to.equal(413)
    const fits = JSON.stringify({ prompt_name: 'nobody', inputs: { text: 'x'.repeat(33_554_432 - 60) } })
    expect((await service.request('POST', '/api/prompts', fits)).status).to.equal(404)
    expect((await get('/api/health')).status).to.equal(200)
  })

  it('name the request on every answer', async () => {
    const own = randomUUID()
    const { headers } = await service.request('GET', '/api/health', undefined, { 'x-request-id': own })
    expect(headers.get('x-request-id')).to.equal(own)
    const first = (await get('/api/nothing')).headers.get('x-request-id')
    expect((await get('/api/nothing')).headers.get('x-request-id')).not.to.equal(first)
  })

  it('answer what is no HTTP with an error that reads like the others', async () => {
    const raw = async (text: string): Promise<string> => {
      const socket = connect(service.api.port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(text)
      return Buffer.concat((await socket.toArray()) as Buffer[]).toString()
    }
    for (const [text, status] of [
      ['nonsense\r\n\r\n', 400],
      [`GET /api/health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    ] as const) {
      const answer = await raw(text)
      expect(answer).to.match(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(Object.keys(JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as object)).to.deep.equal(['detail'])
    }
  })

  for (const [path, fallback] of LISTS) {
    describe(path, () => {
      it('takes a limit from 1 to 1000', async () => {
        for (const limit of ['0', '-1', '1001', '1.5', 'many', '', '1e2', ' 5', '999999999999999999999']) {
          const { status, body } = await get(`${path}?limit=${encodeURIComponent(limit)}`)
          expect(status, limit).to.equal(400)
          expect(body.detail).to.contain('limit')
        }
        expect((await get(`${path}?limit=5&limit=6`)).status).to.equal(400)
        expect(ofItems((await get(`${path}?limit=1`)).body)).to.have.length(1)
        expect((await get(`${path}?limit=1000`)).status).to.equal(200)
        const { limit } = (await get(path)).body
        if (limit !== undefined) expect(limit).to.equal(fallback)
      })

      it('goes on with its own cursor and no other', async () => {
        const whole = ofItems((await get(`${path}?limit=1000`)).body).map(idOf)
        const seen: unknown[] = []
        let cursor = ''
        for (;;) {
          const { status, body } = await get(`${path}?limit=3${cursor}`)
          expect(status).to.equal(200)
          seen.push(...ofItems(body).map(idOf))
          if (body.next_cursor === null) break
          expect(ofItems(body)).to.have.length(3)
          cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
        }
        expect(seen).to.deep.equal(whole)
        const others = await Promise.all(
          LISTS.filter(([other]) => other !== path).map(
            async ([other]) => (await get(`${other}?limit=1`)).body.next_cursor,
          ),
        )
        for (const wrong of ['', 'x', 'W10', '%00', '{}', ...others] as string[]) {
          const { status, body } = await get(`${path}?cursor=${encodeURIComponent(wrong)}`)
          expect(status, wrong).to.equal(400)
          expect(body.detail).to.contain('cursor')
        }
      })

      it('takes an offset, and goes on after it with a cursor, but not with both', async () => {
        const whole = ofItems((await get(`${path}?limit=1000`)).body).map(idOf)
        const { body: page } = await get(`${path}?limit=2&offset=3`)
        expect(ofItems(page).map(idOf)).to.deep.equal(whole.slice(3, 5))
        const next = await get(`${path}?limit=2&cursor=${encodeURIComponent(page.next_cursor)}`)
        expect(ofItems(next.body).map(idOf)).to.deep.equal(whole.slice(5, 7))
        const beyond = (await get(`${path}?offset=1000000`)).body
        expect([ofItems(beyond), beyond.next_cursor]).to.deep.equal([[], null])
        for (const offset of ['-1', 'x', '1.5', '']) {
          const { status, body } = await get(`${path}?offset=${offset}`)
          expect(status, offset).to.equal(400)
          expect(body.detail).to.contain('offset')
        }
        const both = await get(`${path}?offset=0&cursor=${encodeURIComponent(page.next_cursor)}`)
        expect(both.status).to.equal(400)
        expect(both.body.detail).to.equal('cursor must not be given together with offset.')
      })

      it('is newest first', async () => {
        const items = ofItems((await get(path)).body).filter((item) => item.last_seen === undefined)
        const times = items.map((item) => Date.parse(String(item.created_at ?? item.end_time ?? item.timestamp)))
        expect(times).to.deep.equal(times.toSorted((one, other) => other - one))
      })
    })
  }
})
