import { expect } from 'chai'
import { asObject, deeperThan, isObject, MAX_DEPTH, toJsonValue } from '../../../core/json.ts'

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = wrap(value)
  return value
}

describe('deeperThan', () => {
  it('counts levels of objects and arrays, the outermost as one', () => {
    for (const scalar of [null, 1, 'text', true, undefined]) expect(deeperThan(scalar, 0)).to.equal(false)
    expect(deeperThan({}, 0)).to.equal(true)
    expect(deeperThan({}, 1)).to.equal(false)
    expect(deeperThan({ a: [1] }, 1)).to.equal(true)
    expect(deeperThan({ a: [1], b: 2 }, 2)).to.equal(false)
    for (const wrap of [(inner: unknown) => [inner], (inner: unknown) => ({ a: 1, inner })]) {
      expect(deeperThan(nested(MAX_DEPTH, wrap))).to.equal(false)
      expect(deeperThan(nested(MAX_DEPTH + 1, wrap))).to.equal(true)
    }
  })

  it('survives what a hostile body holds', () => {
    expect(deeperThan(nested(1_000_000, (inner) => [inner]))).to.equal(true)
    expect(deeperThan({ wide: Array.from({ length: 200_000 }, () => ({})) })).to.equal(false)
    expect(deeperThan(JSON.parse('{"__proto__": {"a": {}}}'), 2)).to.equal(true)
  })
})

describe('asObject', () => {
  it('leaves objects and wraps everything else', () => {
    expect(asObject({ a: 1 })).to.deep.equal({ a: 1 })
    for (const answer of ['text', 0, false, [1, { a: 2 }], null]) {
      expect(asObject(answer)).to.deep.equal({ result: answer })
    }
    expect(asObject(undefined)).to.deep.equal({ result: null })
  })
})

describe('isObject', () => {
  it('is true of JSON objects alone', () => {
    expect([{}, JSON.parse('{"__proto__": 1}')].every(isObject)).to.equal(true)
    expect([null, undefined, [], 'a', 1, true].some(isObject)).to.equal(false)
  })
})

describe('toJsonValue', () => {
  it('says in a sentence what has no JSON form', () => {
    for (const [value, type] of [
      [() => 1, 'function'],
      [Symbol('x'), 'symbol'],
      [{ toJSON: () => undefined }, 'object'],
    ]) {
      expect(() => toJsonValue(value)).to.throw(`The returned ${String(type)} has no JSON form.`)
    }
  })
})
