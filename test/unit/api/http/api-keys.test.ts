import { expect } from 'chai'
import crypto, { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiKeys, requireAgents, requireRole } from '../../../../api/http/api-keys.ts'

describe('Named keys', () => {
  let folder: string
  let file: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-keys-'))
    file = join(folder, 'keys.json')
  })
  after(() => rm(folder, { recursive: true }))

  const write = (content: unknown) => writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  const keysOf = (given: string[] = []) => createApiKeys({ SERVICE_API_KEY: given, API_KEYS_FILE: file })
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

  it('are read from a file, as they are or as digests, beside those of the environment', async () => {
    await write([
      { name: 'board', key: 'plain-key', role: 'read' },
      { name: 'batch.night', sha256: sha256('secret').toUpperCase(), role: 'submit', weight: 0.5, agents: ['writer'] },
    ])
    const keys = keysOf(['first', 'second'])
    const nameOf = (key: string) => keys.identify({ 'x-api-key': key })?.name
    expect(['plain-key', 'secret', 'first', 'second', 'other', sha256('secret')].map(nameOf)).to.deep.equal([
      ...['board', 'batch.night', 'key-1', 'key-2', undefined, undefined],
    ])
    expect(keys.identify({ 'x-api-key': 'second' })?.role).to.equal('admin')
    expect(keys.identify({ authorization: 'Bearer secret' })).to.deep.include({ role: 'submit', agents: ['writer'] })
  })

  it('are compared with up to ten credentials of a header and of a query', () => {
    const keys = createApiKeys({ SERVICE_API_KEY: ['right'], API_KEYS_FILE: undefined })
    const header = (before: number) => ({ 'x-api-key': `${'wrong,'.repeat(before)}right` })
    const query = (before: number) => new URLSearchParams(`${'api_key=wrong&'.repeat(before)}api_key=right`)
    expect(keys.identify(header(9))?.name).to.equal('key-1')
    expect(keys.identify(header(10))).to.equal(undefined)
    expect(keys.identify({}, query(9))?.name).to.equal('key-1')
    expect(keys.identify({}, query(10))).to.equal(undefined)
  })

  it('are all compared by digest, independent of the match and the length', () => {
    const keys = createApiKeys({ SERVICE_API_KEY: ['first', 'second', 'third'], API_KEYS_FILE: undefined })
    const { timingSafeEqual: real } = crypto
    const compared: number[][] = []
    const listening: typeof real = (one, other) => {
      compared.push([one.byteLength, other.byteLength])
      return real(one, other)
    }
    const replace = (timingSafeEqual: typeof real) => {
      Object.assign(crypto, { timingSafeEqual })
      syncBuiltinESMExports()
    }
    replace(listening)
    try {
      for (const key of ['first', 'third', 'none', 'firs', '', 'x'.repeat(100_000)]) {
        compared.length = 0
        expect(keys.identify({ 'x-api-key': key }) !== undefined).to.equal(key === 'first' || key === 'third')
        // The header and the Authorization that did not come, with three keys.
        expect(compared, key.slice(0, 10)).to.deep.equal(Array.from({ length: 6 }, () => [32, 32]))
      }
    } finally {
      replace(real)
    }
  })

  it('change with a reload of the file, and stay unchanged when it is invalid', async () => {
    await write([{ name: 'one', key: 'one', role: 'read' }])
    const keys = keysOf()
    await write([{ name: 'two', key: 'two', role: 'read' }])
    keys.reload()
    expect(keys.identify({ 'x-api-key': 'one' })).to.equal(undefined)
    await write('[{')
    expect(() => keys.reload()).to.throw(/not valid JSON/)
    expect(keys.identify({ 'x-api-key': 'two' })?.name).to.equal('two')
  })

  it('may hold a comma', async () => {
    await write(['one', 'one,two', 'two, three'].map((key, at) => ({ name: `k${at}`, key, role: 'read' })))
    const keys = keysOf()
    expect(keys.identify({ 'x-api-key': 'two, three' })?.name).to.equal('k2')
    expect(keys.identify({ authorization: 'Bearer one,two' })?.name).to.equal('k1')
    expect(keys.identify({ 'x-api-key': 'none, one' })?.name, 'a header that came twice').to.equal('k0')
  })

  it('are found by their digest until they are removed', async () => {
    await write([{ name: 'board', key: 'for a while', role: 'read' }])
    const keys = keysOf()
    const { keyDigest = '' } = keys.identify({ 'x-api-key': 'for a while' }) ?? {}
    expect(keys.find(keyDigest)).to.deep.include({ name: 'board', role: 'read', weight: 1, keyDigest })
    await write([{ name: 'board', key: 'another', role: 'admin' }])
    keys.reload()
    expect(keys.find(keyDigest)).to.equal(undefined)
    expect(createApiKeys({ SERVICE_API_KEY: [], API_KEYS_FILE: undefined }).find('')?.name).to.equal(null)
  })

  it('are rejected with an error that never contains a key', async () => {
    const key = randomUUID()
    for (const [content, problem] of [
      [`[{"key":"${key}"`, /not valid JSON/],
      [{}, /must be an array/],
      [[], /must not be empty/],
      [[{ key, role: 'read' }], /name is required/],
      [[{ name: 'a b', key, role: 'read' }], /name must be 1 to 64/],
      [[{ name: 'a', key, role: 'owner' }], /role must be read or submit or admin/],
      [[{ name: 'a', role: 'read' }], /must have either key or sha256/],
      [[{ name: 'a', key, sha256: sha256(key), role: 'read' }], /must have either key or sha256/],
      [[{ name: 'a', sha256: 'abc', role: 'read' }], /sha256 must be 64/],
      [[{ name: 'a', key, role: 'read', weight: 0 }], /weight must be at least/],
      [[{ name: 'a', key, role: 'read', colour: 'red' }], /colour/],
      [[0, 1].map(() => ({ name: 'a', key, role: 'read' })), /same name twice/],
      [[{ name: 'a', key: ` ${key}`, role: 'read' }], /must not begin or end with a space/],
      [
        [
          { name: 'a', key, role: 'read' },
          { name: 'b', sha256: sha256(key), role: 'admin' },
        ],
        /"a" and "b" have the same/,
      ],
    ] as const) {
      await write(content)
      expect(() => keysOf(), JSON.stringify(content))
        .to.throw(problem)
        .with.property('message')
        .that.does.not.contain(key)
    }
    await rm(file)
    expect(() => keysOf()).to.throw(/Cannot read API_KEYS_FILE/)
  })

  it('are rejected when the environment has the same key or name, so that each key has one role and one name', async () => {
    const key = randomUUID()
    for (const [entry, problem] of [
      [{ name: 'a', key, role: 'read' }, /: "key-2" and "a" have the same key; give each its own\.$/],
      [{ name: 'a', sha256: sha256(key), role: 'read' }, /"key-2" and "a" have the same key/],
      [{ name: 'key-1', key: 'other', role: 'read' }, /: "key-1" is the name of a key of SERVICE_API_KEY; give/],
    ] as const) {
      await write([entry])
      expect(() => keysOf(['first', key]))
        .to.throw(problem)
        .with.property('message')
        .that.does.not.contain(key)
    }
    await write([{ name: 'key-3', key: 'other', role: 'read' }])
    expect(keysOf(['first', key]).list()).to.have.length(3)
  })

  it('may do what their role says', () => {
    const caller = { name: 'board', agents: undefined, weight: 1, keyDigest: '' }
    requireRole({ ...caller, role: 'submit' }, 'read')
    requireRole({ ...caller, role: 'admin' }, 'admin')
    expect(() => requireRole({ ...caller, role: 'read' }, 'submit')).to.throw(
      'The key "board" has the role read, but this',
    )
    expect(() => requireRole({ ...caller, role: 'submit' }, 'admin')).to.throw(/needs the role admin/)
  })

  it('submit to the agents that they name, or to all', () => {
    const caller = { name: 'night', role: 'submit', weight: 1, keyDigest: '' } as const
    requireAgents({ ...caller, agents: undefined }, ['any'])
    requireAgents({ ...caller, agents: ['a', 'b'] }, ['b', 'a'])
    expect(() => requireAgents({ ...caller, agents: ['a'] }, ['a', 'c'])).to.throw('may not submit to the agent "c"')
  })
})
