import { expect } from 'chai'
import { parseJson } from '../../../client/index.ts'
import { searchJson, type SearchProgress } from '../../../dashboard/parts/json-search.ts'

describe('The search in a JSON value', () => {
  const search = async (value: unknown, text: string): Promise<SearchProgress> => {
    let last: SearchProgress = { found: [], count: 0, done: false }
    await searchJson(value, text, new AbortController().signal, (progress) => (last = progress))
    return last
  }

  it('finds keys and values wherever they are, in any case, with their paths', async () => {
    const value = { result: { items: [{ name: 'first' }, { name: 'SECOND', ok: null }] }, second: 7 }
    const { found, done } = await search(value, 'second')
    expect(done).to.equal(true)
    expect(found).to.deep.equal([
      { path: 'result.items[1].name', text: 'SECOND' },
      { path: 'second', text: '7' },
    ])
    expect((await search(value, 'null')).found.map(({ path }) => path)).to.deep.equal(['result.items[1].ok'])
    expect((await search('a text', 'TEXT')).count).to.equal(1)
  })

  it('finds every digit of a long number', async () => {
    const { found } = await search(parseJson('{"ids":[9007199254740993,-0.12345678901234567890]}'), '0993')
    expect(found).to.deep.equal([{ path: 'ids[0]', text: '9007199254740993' }])
  })

  it('counts all and keeps some; goes as deep as it must, and stops when nobody waits', async () => {
    let deep: object = { end: 'needle' }
    for (let depth = 0; depth < 20_000; depth += 1) deep = { in: deep }
    expect((await search(deep, 'needle')).count).to.equal(1)
    const many = await search(Array(5_000).fill('needle'), 'needle')
    expect([many.count, many.found.length]).to.deep.equal([5_000, 200])
    const leaving = new AbortController()
    leaving.abort()
    let told = 0
    await searchJson(Array(2_000_000).fill(1), 'x', leaving.signal, () => (told += 1))
    expect(told).to.equal(1)
  })
})
