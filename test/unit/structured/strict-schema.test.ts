import { expect } from 'chai'
import { finalAnswerTool } from '../../../agents/structured/final-answer.ts'
import { isStrictSchema } from '../../../agents/structured/strict-schema.ts'

const closed = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

describe('isStrictSchema', () => {
  for (const [what, schema, strict] of [
    ['an object that is closed and needs all of its properties', closed({ a: { type: 'string' } }), true],
    ['nested ones', closed({ a: { type: 'array', items: closed({ b: { type: 'null' } }) } }), true],
    ['an object that may have more', { type: 'object', properties: {}, required: [] }, false],
    ['a property that may be missing', closed({ a: {}, b: {} }, ['a']), false],
    ['an open object further down', closed({ a: { anyOf: [{ type: 'object' }, { type: 'null' }] } }), false],
  ] as const) {
    it(`${strict ? 'takes' : 'leaves'} ${what}`, () => expect(isStrictSchema(schema)).to.equal(strict))
  }

  it('decides whether the final tool is held to its schema', () => {
    expect(finalAnswerTool(closed({}))).to.include({ name: 'final_answer', strict: true })
    expect(finalAnswerTool({ type: 'object' })).to.include({ strict: false })
  })
})
