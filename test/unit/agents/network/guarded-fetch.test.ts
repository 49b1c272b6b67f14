import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import {
  createGuardedFetch,
  type GuardedFetch,
  type GuardedFetchOptions,
} from '../../../../agents/network/guarded-fetch.ts'
import type { Resolve } from '../../../../agents/network/guarded-connector.ts'
import { createNetwork } from '../../../../agents/network/network.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

describe('guarded fetch', () => {
  const opened: (() => Promise<unknown>)[] = []
  let seen: { url: string; method: string; headers: IncomingMessage['headers']; body: string }[]
  let server: Server
  let port: number
  let pages: Record<string, Handler>

  async function listen(host: string, handler: Handler, at = 0): Promise<Server> {
    const listening = createServer(handler).listen(at, host)
    await once(listening, 'listening')
    opened.push(async () => {
      listening.closeAllConnections()
      listening.close()
      await once(listening, 'close')
    })
    return listening
  }

  beforeEach(async () => {
    seen = []
    pages = {}
    server = await listen('127.0.0.1', (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { url = '', method = '', headers } = request
        seen.push({ url, method, headers, body: Buffer.concat(chunks).toString() })
        const page = pages[url]
        if (page) page(request, response)
        else response.end('hello')
      })
    })
    port = (server.address() as AddressInfo).port
  })

  afterEach(async () => {
    for (const close of opened.splice(0)) await close()
  })

  function guarded(options: GuardedFetchOptions = {}): GuardedFetch['fetch'] {
    const made = createGuardedFetch({ allowPrivate: [`127.0.0.1:${port}`], ...options })
    opened.push(made.close)
    return made.fetch
  }

  const failure = (promise: Promise<unknown>): Promise<Error & { code?: string }> =>
    promise.then(
      (value) => expect.fail(`it should have failed, and gave ${String(value)}`),
      (error: Error) => error,
    )

  /** Answers names from a table, one list of addresses after the other. */
  function resolver(answers: Record<string, string[][]>): Resolve {
    return (host, _options, callback) => {
      const lists = answers[host] ?? []
      const addresses = (lists.length > 1 ? lists.shift() : lists[0]) ?? []
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }
  }

  it('fetches like fetch what it may reach', async () => {
    pages['/json'] = (_request, response) => response.setHeader('x-a', 'b').end('{"a":1}')
    const response = await guarded()(`http://127.0.0.1:${port}/json`, { headers: { host: 'other', 'x-mine': '1' } })
    expect(response).to.be.instanceOf(Response)
    expect(response).to.include({ status: 200, ok: true, redirected: false, url: `http://127.0.0.1:${port}/json` })
    expect(response.headers.get('x-a')).to.equal('b')
    expect(await response.json()).to.deep.equal({ a: 1 })
    expect(seen[0]?.headers).to.include({ 'x-mine': '1', host: `127.0.0.1:${port}` })
  })

  const SPELLINGS = [
    'localhost',
    'LOCALHOST',
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '0177.0.0.0x1',
    '127.0.0.0x01',
    '%31%32%37.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127.255.255.254',
    '0',
    '0.0.0.0',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::127.0.0.1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '[::ffff:169.254.169.254]',
    '100.100.100.200',
    '168.63.129.16',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
  ]
  for (const host of SPELLINGS) {
    it(`does not reach ${host}`, async () => {
      const error = await failure(guarded({ allowPrivate: [] })(`http://${host}:${port}/`))
      expect(error).to.include({ code: 'network_refused' })
      expect(error.message).to.contain('not a public address')
      expect(seen).to.deep.equal([])
    })
  }

  it('connects to the address that was checked: a name that changes its answer gains nothing', async () => {
    const decoy = await listen(
      '127.0.0.2',
      (_request, response) => response.setHeader('connection', 'close').end('decoy'),
      port,
    )
    expect(decoy.listening).to.equal(true)
    const rebinding = guarded({
      allowPrivate: [],
      private: ['127.0.0.2'],
      resolve: resolver({ 'rebind.test': [['127.0.0.2'], ['127.0.0.1']] }),
    })
    const first = await rebinding(`http://rebind.test:${port}/`)
    expect(await first.text()).to.equal('decoy')
    const error = await failure(rebinding(`http://rebind.test:${port}/`))
    expect(error.message).to.equal('rebind.test leads to 127.0.0.1, which is not a public address.')
    expect(seen).to.deep.equal([])
  })

  it('refuses a name when only one of its addresses is private', async () => {
    const resolve = resolver({ 'mixed.test': [['93.184.216.34', '127.0.0.1']] })
    const error = await failure(guarded({ allowPrivate: [], resolve })(`http://mixed.test:${port}/`))
    expect(error).to.include({ code: 'network_refused' })
  })

  it('reaches a private host that its agent names, by name and port', async () => {
    const resolve = resolver({ 'wiki.corp': [['127.0.0.1']] })
    const fetched = await guarded({ allowPrivate: [], private: [`wiki.corp:${port}`], resolve })(
      `http://wiki.corp:${port}/`,
    )
    expect(await fetched.text()).to.equal('hello')
    const other = guarded({ allowPrivate: [], private: [`wiki.corp:${port + 1}`], resolve })
    expect(await failure(other(`http://wiki.corp:${port}/`))).to.include({ code: 'network_refused' })
  })

  for (const location of ['http://169.254.169.254/latest/meta-data/', '//[::1]/', 'http://2130706433/']) {
    it(`does not follow a redirect to ${location}`, async () => {
      pages['/'] = (_request, response) => response.writeHead(302, { location }).end()
      const error = await failure(guarded()(`http://127.0.0.1:${port}/`))
      expect(error).to.include({ code: 'network_refused' })
    })
  }

  it('does not follow a redirect to another protocol, nor to a host outside the allow list', async () => {
    pages['/file'] = (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    pages['/out'] = (_request, response) => response.writeHead(302, { location: 'http://example.org/' }).end()
    expect((await failure(guarded()(`http://127.0.0.1:${port}/file`))).message).to.contain('only http: and https:')
    const kept = guarded({ allow: ['127.0.0.1'] })
    expect((await failure(kept(`http://127.0.0.1:${port}/out`))).message).to.contain(
      'example.org is not among the hosts',
    )
  })

  it('follows five redirects and not a sixth', async () => {
    for (let hop = 0; hop < 6; hop += 1) {
      pages[`/${hop}`] = (_request, response) => response.writeHead(302, { location: `/${hop + 1}` }).end()
    }
    const response = await guarded()(`http://127.0.0.1:${port}/1`)
    expect(response).to.include({ url: `http://127.0.0.1:${port}/6`, redirected: true })
    expect((await failure(guarded()(`http://127.0.0.1:${port}/0`))).message).to.equal('More than 5 redirects.')
  })

  it('gives a redirect itself where the request asks for it, and fails where it forbids them', async () => {
    pages['/'] = (_request, response) => response.writeHead(302, { location: '/there' }).end()
    const manual = await guarded()(`http://127.0.0.1:${port}/`, { redirect: 'manual' })
    expect([manual.status, manual.headers.get('location')]).to.deep.equal([302, '/there'])
    expect((await failure(guarded()(`http://127.0.0.1:${port}/`, { redirect: 'error' }))).message).to.contain('forbids')
  })

  it('sends the body again where a redirect keeps the method, and not where it becomes a GET', async () => {
    pages['/307'] = (_request, response) => response.writeHead(307, { location: '/kept' }).end()
    pages['/303'] = (_request, response) => response.writeHead(303, { location: '/get' }).end()
    await guarded()(`http://127.0.0.1:${port}/307`, { method: 'POST', body: '{"a":1}' })
    await guarded()(`http://127.0.0.1:${port}/303`, { method: 'POST', body: '{"a":1}' })
    expect(seen.map(({ url, method, body }) => `${method} ${url} ${body}`)).to.deep.equal([
      'POST /307 {"a":1}',
      'POST /kept {"a":1}',
      'POST /303 {"a":1}',
      'GET /get ',
    ])
    expect(seen[3]?.headers).not.to.have.property('content-type')
  })

  it('takes no credentials along to another origin', async () => {
    const other = await listen('127.0.0.1', (request, response) => {
      seen.push({ url: 'other', method: '', headers: request.headers, body: '' })
      response.end()
    })
    const otherPort = (other.address() as AddressInfo).port
    pages['/same'] = (_request, response) => response.writeHead(302, { location: '/leave' }).end()
    pages['/leave'] = (_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${otherPort}/` }).end()
    const headers = { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'k', accept: 'text/plain' }
    await guarded({ allowPrivate: ['127.0.0.1'] })(`http://127.0.0.1:${port}/same`, { headers })
    expect(seen[1]?.headers).to.include(headers)
    expect(seen[2]?.headers).to.include({ accept: 'text/plain' })
    expect(seen[2]?.headers).not.to.have.any.keys('authorization', 'cookie', 'x-api-key')
  })

  it('breaks off a body of 10 GB, announced or not, and gives its connection back', async () => {
    let sent = 0
    const endless: Handler = (_request, response) => {
      response.on('error', () => undefined)
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
      }
      response.on('drain', more)
      more()
    }
    pages['/endless'] = endless
    pages['/announced'] = (request, response) => endless(request, response.setHeader('content-length', 10 * 1024 ** 3))
    for (const path of ['/endless', '/announced']) {
      sent = 0
      const response = await guarded({ maxBytes: 1_000_000 })(`http://127.0.0.1:${port}${path}`)
      const error = await failure(response.arrayBuffer())
      expect(error).to.include({ code: 'response_too_large' })
      expect(sent).to.be.lessThan(100_000_000)
    }
  })

  it('counts what a compressed body becomes', async () => {
    pages['/bomb'] = (_request, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(50_000_000)))
    const response = await guarded({ maxBytes: 1_000_000 })(`http://127.0.0.1:${port}/bomb`)
    expect(await failure(response.text())).to.include({ code: 'response_too_large' })
  })

  it('ends an exchange that a server drags out, in its headers or in its body', async () => {
    const drip: Handler = (_request, response) => {
      const timer = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(timer))
    }
    pages['/body'] = drip
    pages['/headers'] = () => undefined
    for (const path of ['/body', '/headers']) {
      const slow = guarded({ timeoutMs: 500 })(`http://127.0.0.1:${port}${path}`).then((response) => response.text())
      expect(await failure(slow)).to.include({ name: 'TimeoutError' })
    }
  })

  it('ends with the run, and with the signal of the request', async () => {
    const network = createNetwork([`127.0.0.1:${port}`])
    opened.push(network.close)
    const arrived = Promise.withResolvers<void>()
    pages['/hang'] = () => arrived.resolve()
    const run = new AbortController()
    const failed = failure(network.fetchFor(undefined, run.signal)(`http://127.0.0.1:${port}/hang`))
    await arrived.promise
    run.abort(new Error('canceled'))
    expect((await failed).message).to.equal('canceled')
    const aborted = AbortSignal.abort(new Error('mine'))
    const own = network.fetchFor(undefined, new AbortController().signal)(`http://127.0.0.1:${port}/`, {
      signal: aborted,
    })
    expect((await failure(own)).message).to.equal('mine')
  })

  it('shares no connection between agents with different rules', async () => {
    const network = createNetwork([])
    opened.push(network.close)
    const { signal } = new AbortController()
    const opens = { private: [`127.0.0.1:${port}`] }
    expect(await (await network.fetchFor(opens, signal)(`http://127.0.0.1:${port}/`)).text()).to.equal('hello')
    expect(await failure(network.fetchFor(undefined, signal)(`http://127.0.0.1:${port}/`))).to.include({
      code: 'network_refused',
    })
  })
})
