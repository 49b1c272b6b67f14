import { expect } from 'chai'
import { tooHeavy } from '../../../../api/http/json-size.ts'

const check = (text: string) => tooHeavy(Buffer.from(text))
const keys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":{}`).join(',')}}`

describe('A JSON text is too heavy', () => {
  it('with more than a million objects and arrays', () => {
    expect(check(`[${'{},'.repeat(999_999)}0]`)).to.equal(undefined)
    expect(check(`[${'[],'.repeat(1_000_000)}0]`)).to.equal('holds more than 1000000 objects and arrays')
  })

  it('with an object of more than 200,000 keys, however many others have', () => {
    expect(check(`[${keys(200_000)},${keys(200_000)}]`)).to.equal(undefined)
    expect(check(`{"a":{"b":[]},"c":${keys(200_001)}}`)).to.equal('has an object of more than 200000 keys')
  })

  it('not by what stands in strings, or by being no JSON', () => {
    const brackets = '{[:'.repeat(1_000_000)
    for (const text of [
      JSON.stringify(brackets),
      String.raw`"\\"`,
      '"é{🎭[",',
      '"no end {',
      '"no end \\',
      '}}}]]]',
      '',
    ]) {
      expect(check(text)).to.equal(undefined)
    }
    expect(check(String.raw`"\"${brackets}"`)).to.equal(undefined)
    expect(check(`"\\\\"${brackets}`)).to.be.a('string')
  })
})
