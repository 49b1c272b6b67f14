import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { EXAMPLES_DIR } from '../../agents/agent-modules.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** What a page may bring, by the path that it is asked for under. */
const PAGES: Record<string, string> = {
  '/nested': '<div>'.repeat(40_000),
  '/breaks': 'x<br>'.repeat(400_000),
  '/slow': `${'<div>'.repeat(150)}x${'</div>'.repeat(150)}`.repeat(16),
}

describe('Web pages that are designed to block a worker', () => {
  let pages: Server
  let service: TestService
  let address: string

  before(async () => {
    pages = createServer((request, response) => {
      response.setHeader('content-type', 'text/html').end(PAGES[request.url ?? ''] ?? '<p>A page.</p>')
    }).listen(0, '127.0.0.1')
    await once(pages, 'listening')
    address = `127.0.0.1:${(pages.address() as AddressInfo).port}`
    service = await startTestService({ agentsDir: EXAMPLES_DIR, env: { NETWORK_ALLOW_PRIVATE: address } })
  })

  after(async () => {
    await service.stop()
    pages.closeAllConnections()
    pages.close()
    await once(pages, 'close')
  })

  const chat = async (url: string): Promise<string> => {
    const message = encodeURIComponent(`Read ${url}`)
    const { body } = await service.request('GET', `/api/agents/assistant/chat?message=${message}&timeout=60`)
    return body.response?.message ?? body.response?.result ?? JSON.stringify(body)
  }

  it('are rejected or read as text while other runs continue', async () => {
    const hostile = [...Object.keys(PAGES), ...Object.keys(PAGES)].map((path) => chat(`http://${address}${path}`))
    const others = Array.from({ length: 20 }, () =>
      service.request('POST', '/api/jobs', { pipeline_name: 'echo', inputs: { a: 1 } }),
    )
    for (const { body } of await Promise.all(others)) expect(body).to.include({ status: 'success' })
    const [nested, breaks, slow] = await Promise.all(hostile)
    expect(nested).to.contain('nested more than 256 deep')
    expect(breaks).to.match(/^\*\*/)
    expect(slow).to.match(/^\*\*/)
  })

  it('cannot have addresses in the internal network of the worker', async () => {
    const port = Number(address.split(':')[1]) - 1
    for (const host of ['169.254.169.254', `localhost:${port}`, '10.0.0.1', `0x7f.1:${port}`]) {
      expect(await chat(`http://${host}/`), host).to.contain('not a public address')
    }
  })
})
