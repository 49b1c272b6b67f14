import { expect } from 'chai'
import { codeOf } from '../../core/errors.ts'
import { unhurriedFetch } from '../../agents/models/unhurried-fetch.ts'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'

describe('unhurriedFetch', () => {
  let server: ProviderServer

  beforeEach(async () => {
    server = await startProviderServer([{ text: 'late', firstTokenMs: 2_500 }])
  })
  afterEach(async () => {
    await server.close()
  })

  const ask = async (fetch: typeof globalThis.fetch) => {
    const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'x' }] })
    const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', body })
    return response.text()
  }

  it('waits for a body that begins late', async () => {
    expect(await ask(unhurriedFetch())).to.contain('late')
  })

  it('sets the limits of undici, so that no limit is none', async () => {
    const error = await ask(unhurriedFetch(100)).catch((thrown: unknown) => thrown as Error)
    expect(error).to.be.an('error')
    expect(codeOf((error as Error).cause)).to.equal('UND_ERR_BODY_TIMEOUT')
  })
})
