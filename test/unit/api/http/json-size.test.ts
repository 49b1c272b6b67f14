import { expect } from 'chai'
import { tooHeavy } from '../../../../api/http/json-size.ts'

const check = (text: string) => tooHeavy(Buffer.from(text))
const fields = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `"k${from + index}":0`).join(',')

describe('A JSON text is too heavy', () => {
  it('with more than a million objects and arrays', () => {
    expect(check(`[${'{},'.repeat(999_999)}0]`)).to.equal(undefined)
    expect(check(`[${'[],'.repeat(1_000_000)}0]`)).to.equal('contains more than 1000000 objects and arrays')
  })

  it('with more than half a million distinct field names, in one object or in many', () => {
    const problem = 'contains more than 500000 distinct field names'
    expect(check(`[${`{${fields(0, 20)}},`.repeat(100_000)}0]`)).to.equal(undefined)
    expect(check(`{${fields(0, 480_000)}}`)).to.equal(undefined)
    expect(check(`{${fields(0, 540_000)}}`)).to.equal(problem)
    const objects = Array.from({ length: 27_000 }, (_, index) => `{${fields(index * 20, index * 20 + 20)}}`)
    expect(check(`[${objects.join(',')}]`)).to.equal(problem)
  })

  it('but not because of the content of strings, or because it is not JSON', () => {
    const brackets = '{[:'.repeat(1_100_000)
    expect(check(JSON.stringify(brackets))).to.equal(undefined)
    expect(check(`"\\\\\\"${brackets}"`)).to.equal(undefined)
    expect(check(`"\\\\"${brackets}`)).to.be.a('string')
    for (const end of ['', '"', '"\\', '}}]]::']) expect(check(' '.repeat(1_000_000) + end)).to.equal(undefined)
  })

  it('and is checked in a single pass', () => {
    const name = JSON.stringify('x'.repeat(4_000_000))
    const before = process.threadCpuUsage().user
    expect(check(`{${name}${':'.repeat(4_000_000)}`)).to.equal(undefined)
    // The name would be looked at four million times.
    expect((process.threadCpuUsage().user - before) / 1_000_000).to.be.lessThan(20)
  })
})
