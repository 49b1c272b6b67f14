import { expect } from 'chai'
import { parseJson } from '../../../core/exact-json.ts'
import { asObject, canonicalJson, deeperThan, toJsonValue } from '../../../core/json.ts'

const LONG = '12345678901234567890'

describe('parseJson', () => {
  for (const text of [
    `{"n":${LONG},"list":[-${LONG},{"deep":9007199254740993}]}`,
    `{"fraction":0.12345678901234567890,"large":[1e999,-1e400,${'9'.repeat(400)}],"small":1e-400}`,
    `{"${LONG}":"${LONG}","quote\\"":"\\\\",${'"a":[1,2,3]'},"__proto__":${LONG},"b":{"__proto__":{"c":${LONG}}}}`,
    `[${LONG},"\\"${LONG}",${LONG},"${'\\\\'.repeat(20)}",${LONG},"[${LONG}"]`,
    `{"double":0.30000000000000004,"n":1.7976931348623157e+308,"a":1e+21}`,
  ]) {
    it(`gives ${text.slice(0, 60)} back as it was, and doubles to code`, () => {
      const value = parseJson(text)
      expect(JSON.stringify(value)).to.equal(text)
      expect(JSON.stringify({ inside: [value] })).to.equal(`{"inside":[${text}]}`)
      expect(JSON.stringify(toJsonValue(value))).to.equal(text)
      expect(structuredClone(value)).to.deep.equal(JSON.parse(text))
      expect(({} as { c?: unknown }).c).to.equal(undefined)
    })
  }

  it('leaves what has no long number to JSON.parse, and so errors and scalars', () => {
    expect(parseJson('{"a":[1,"2",null]}')).to.deep.equal({ a: [1, '2', null] })
    expect(Object.getOwnPropertyNames(parseJson(`{"a":"${LONG}"}`))).to.deep.equal(['a'])
    expect(parseJson(LONG)).to.equal(Number(LONG))
    expect(() => parseJson(`{"a":${LONG}`)).to.throw(SyntaxError)
  })

  it('writes a number anew that code has changed, moved or removed', () => {
    const value = parseJson(`{"a":${LONG},"b":${LONG},"c":${LONG}}`) as Record<string, unknown>
    value.a = 1
    delete value.b
    value.d = value.c
    expect(JSON.stringify(value)).to.equal(`{"a":1,"c":${LONG},"d":12345678901234567000}`)
    expect(JSON.stringify({ ...value })).to.equal('{"a":1,"c":12345678901234567000,"d":12345678901234567000}')
  })

  it('is what a field called toJSON is to JSON.parse', () => {
    expect(parseJson(`{"toJSON":1,"n":${LONG}}`)).to.deep.equal({ toJSON: 1, n: Number(LONG) })
  })

  it('tells numbers apart that are one double', () => {
    const [one, other] = [LONG, '12345678901234567891'].map((n) => canonicalJson(parseJson(`{"b":${n},"a":1}`)))
    expect(one).to.equal(`{"a":1,"b":${LONG}}`)
    expect(other).not.to.equal(one)
  })

  it('is an object like any other', () => {
    const value = parseJson(`{"n":${LONG}}`)
    expect(JSON.stringify(asObject(value))).to.equal(`{"n":${LONG}}`)
    expect(deeperThan(value, 1)).to.equal(false)
  })

  it('survives megabytes of digits, escapes and brackets', () => {
    const [digits, escapes] = ['1.'.repeat(4_000_000), '\\\\'.repeat(4_000_000)]
    const text = `{"a":"${digits}","b":"${escapes}","c":${'1'.repeat(1_000_000)},"d":${LONG}}`
    expect(JSON.stringify(parseJson(text)) === text).to.equal(true)
    const brackets = '['.repeat(5_000) + LONG + ']'.repeat(5_000)
    expect(parseJson(brackets)).to.be.an('array')
  })
})
