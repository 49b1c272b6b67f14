import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { AgentContext, Tool } from '../../../agents/definition.ts'
import { createNetwork } from '../../../agents/network/network.ts'
import { toLoadedAgent } from '../../../agents/loaded-agent.ts'
import { currentTime } from '../../../agents/tools/current-time.ts'
import { fetchPage } from '../../../agents/tools/fetch-page.ts'
import { readPage } from '../../../agents/tools/page/read-page.ts'
import { keySentences, measureText } from '../../../agents/tools/text-measures.ts'

const PARAGRAPH =
  'Durable execution keeps the state of a program safe. When a process dies, another process continues its execution. '

describe('fetch_page', () => {
  const pages: Record<string, (response: ServerResponse) => void> = {
    '/article': (response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(
        `<html><head><title>On durability</title><script>secret()</script></head><body><nav>Home</nav>
         <article><h1>On durability</h1><p>${PARAGRAPH.repeat(3)}</p><p>Ça va&nbsp;&amp; bien.</p></article></body></html>`,
      )
    },
    '/untitled': (response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<p>Some words</p>')
    },
    '/latin1': (response) => {
      response.setHeader('content-type', 'text/plain; charset=ISO-8859-1')
      response.end(Buffer.from('Zürich', 'latin1'))
    },
    '/moved': (response) => response.writeHead(302, { location: '/latin1' }).end(),
    '/image': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
    '/gone': (response) => response.writeHead(410).end(),
    '/huge': (response) => {
      response.setHeader('content-type', 'text/plain')
      response.on('error', () => undefined)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    },
    '/hang': () => undefined,
  }
  const network = createNetwork(['127.0.0.1'])
  let server: Server
  let base: string
  const reached = new Map<string, PromiseWithResolvers<void>>()

  before(async () => {
    server = createServer((request, response) => {
      reached.get(request.url ?? '')?.resolve()
      pages[request.url ?? '']?.(response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  after(async () => {
    await network.close()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  const run = async (url: string, signal = new AbortController().signal) => {
    const context = { signal, heartbeat: () => undefined, fetch: network.fetchFor(undefined, signal) }
    const page = await fetchPage.execute({ url } as never, context as unknown as AgentContext)
    return page as { url: string; title: string; text: string }
  }

  async function sentenceOf(promise: Promise<unknown>): Promise<string> {
    return promise.then(
      () => expect.fail('the call should have failed'),
      (error: Error) => error.message,
    )
  }

  it('gives the title and the main text of a page', async () => {
    const page = await run(`${base}/article`)
    expect(page).to.include({ title: 'On durability', url: `${base}/article`, truncated: false })
    expect(await run(`${base}/untitled`)).to.include({ title: `${base}/untitled`, text: 'Some words' })
    expect(page.text).to.contain('keeps the state').and.contain('Ça va & bien.')
    expect(page.text).not.to.contain('secret()')
  })

  it('reads text in the encoding that the server names, and follows redirects', async () => {
    expect(await run(`${base}/moved`)).to.include({ text: 'Zürich', url: `${base}/latin1` })
  })

  for (const [url, sentence] of [
    ['file:///etc/passwd', 'only http: and https:'],
    ['ftp://example.com/', 'only http: and https:'],
    ['not an address', 'not an address is not an address'],
    ['http://169.254.169.254/latest/meta-data/', '169.254.169.254 is not a public address'],
    ['http://[::1]/', '::1 is not a public address'],
  ] as const) {
    it(`refuses ${url}`, async () => expect(await sentenceOf(run(url))).to.contain(sentence))
  }

  for (const [path, sentence] of [
    ['/image', 'it is image/png, not text'],
    ['/gone', 'answered 410'],
    ['/huge', 'larger than'],
  ] as const) {
    it(`says why ${path} cannot be read`, async () => {
      expect(await sentenceOf(run(base + path)))
        .to.contain(sentence)
        .and.contain(base + path)
    })
  }

  it('says that nothing listens', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    closed.close()
    await once(closed, 'close')
    expect(await sentenceOf(run(`http://127.0.0.1:${port}/`))).to.contain('ECONNREFUSED')
  })

  it('ends with the run', async () => {
    const controller = new AbortController()
    const arrived = Promise.withResolvers<void>()
    reached.set('/hang', arrived)
    const failed = sentenceOf(run(`${base}/hang`, controller.signal))
    await arrived.promise
    controller.abort(new Error('canceled'))
    expect(await failed).to.equal('canceled')
  })
})

describe('readPage', () => {
  it('reads pages that leave out almost everything', () => {
    expect(readPage('<!DOCTYPE html><title>T</title><h1>Hi</h1><p>you')).to.deep.equal({
      title: 'T',
      text: 'Hi\n\nyou',
    })
    expect(readPage('<p>one</p><script>x</script><p>two</p>')).to.deep.equal({ title: '', text: 'one\n\ntwo' })
    expect(readPage('')).to.deep.equal({ title: '', text: '' })
    expect(readPage('one<p>two<br>three</p>four')).to.deep.equal({ title: '', text: 'one\n\ntwo\n\nthree\n\nfour' })
    expect(readPage('<!doctype html><title>a &lt;b&gt; &amp; c</title>x')).to.include({ title: 'a <b> & c' })
  })
})

describe('text measures', () => {
  it('counts words, sentences, minutes and the terms that matter', () => {
    const measures = measureText(PARAGRAPH.repeat(30), 2)
    expect(measures).to.include({ words: 540, sentences: 60, reading_minutes: 3 })
    expect(measures.terms).to.deep.equal([
      { term: 'execution', count: 60 },
      { term: 'process', count: 60 },
    ])
  })

  it('measures nothing without failing', () => {
    expect(measureText('')).to.deep.equal({ characters: 0, words: 0, sentences: 0, reading_minutes: 0, terms: [] })
    expect(keySentences('')).to.deep.equal([])
  })

  it('is not led astray by words that are names of object members', () => {
    expect(measureText('constructor constructor __proto__').terms[0]).to.deep.equal({ term: 'constructor', count: 2 })
  })

  it('picks the telling sentences, each once and in their order', () => {
    const text = `${PARAGRAPH}It rained a little on Tuesday evening.\n# Short.\n${PARAGRAPH}`
    expect(keySentences(text, 2)).to.deep.equal(PARAGRAPH.trim().split(/(?<=\.) /))
  })
})

describe('current_time', () => {
  const loaded = (tool: Tool) =>
    toLoadedAgent({ name: 'a', role: 'r', goal: 'g', run: () => 1, tools: [tool] }, 'a.ts').tools[0]

  it('tells the time in UTC unless it is asked for another zone', () => {
    expect(loaded(currentTime)?.execute({}, {} as never)).to.include({ time_zone: 'UTC' })
  })

  it('throws for a zone that does not exist, which the model gets to read', () => {
    expect(() => loaded(currentTime)?.execute({ time_zone: 'Mars/Base' }, {} as never)).to.throw('Mars/Base')
  })
})
