import { expect } from 'chai'
import { loadConfig } from '../../config.ts'

describe('The configuration', () => {
  const load = (env: Record<string, string>) => loadConfig({ DATA_DIR: '/nowhere', ...env })

  it('refuses a list of keys that holds none: nobody would be asked for a key', () => {
    for (const SERVICE_API_KEY of [' , ', ',', ' ']) {
      expect(() => load({ SERVICE_API_KEY })).to.throw(/SERVICE_API_KEY is set but holds no key/)
    }
    expect(load({}).SERVICE_API_KEY).to.deep.equal([])
    expect(load({ SERVICE_API_KEY: 'a, b,' }).SERVICE_API_KEY).to.deep.equal(['a', 'b'])
  })

  it('refuses an origin that no browser would send', () => {
    for (const CORS_ORIGIN of ['app.example.org', 'https://app.example.org/', 'https://a.example,b']) {
      expect(() => load({ CORS_ORIGIN })).to.throw(/CORS_ORIGIN must be origins/)
    }
    expect(load({ CORS_ORIGIN: 'https://a.example, http://localhost:3000' }).CORS_ORIGIN).to.have.length(2)
    expect(load({ CORS_ORIGIN: '*' }).CORS_ORIGIN).to.deep.equal(['*'])
  })

  it('refuses blanks where a number belongs, instead of taking them for 0', () => {
    for (const name of ['PORT', 'ADMIN_PORT', 'RESPONSE_OFFLOAD_BYTES', 'MAX_BACKLOG', 'TRACE_RETENTION_DAYS']) {
      expect(() => load({ [name]: ' ' }), name).to.throw(new RegExp(`${name} must be a number`))
    }
    expect(load({ PORT: '', RESPONSE_OFFLOAD_BYTES: '0' })).to.include({ PORT: 8000, RESPONSE_OFFLOAD_BYTES: 0 })
    expect(() => load({ PORT: 'x' })).to.throw(/PORT/)
    expect(() => load({ PORT: '65536' })).to.throw(/PORT/)
  })
})
