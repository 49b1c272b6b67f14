import { expect } from 'chai'
import { z } from 'zod'
import { isStrictSchema } from '../../../agents/structured/strict-schema.ts'

const closed = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const withoutDialect = ({ $schema: _dialect, ...schema }: Record<string, unknown>) => schema

describe('isStrictSchema', () => {
  for (const [what, schema, strict] of [
    ['an object that is closed and needs all of its properties', closed({ a: { type: 'string' } }), true],
    ['nested ones', closed({ a: { type: 'array', items: closed({ b: { type: 'null' } }) } }), true],
    ['an object that may have more', { type: 'object', properties: {}, required: [] }, false],
    ['a property that may be missing', closed({ a: { type: 'null' }, b: { type: 'null' } }, ['a']), false],
    ['a property of any value', closed({ a: {} }), false],
    ['one of several objects', closed({ a: { oneOf: [closed({}), { type: 'null' }] } }), false],
    ['any of several objects', closed({ a: { anyOf: [closed({}), { type: 'null' }] } }), true],
    ['properties with the names of keywords', closed({ oneOf: { type: 'string' }, properties: closed({}) }), true],
    ['a text of some length', closed({ a: { type: 'string', minLength: 1 } }), false],
    ['a form of texts that is not on the list', closed({ a: { type: 'string', format: 'uri' } }), false],
    ['a pattern that looks ahead', closed({ a: { type: 'string', pattern: '^(?!x)' } }), false],
    ['a reference with a description', closed({ a: { $ref: '#/$defs/b', description: 'c' } }), false],
    ['bounds of a number', closed({ a: { type: 'integer', minimum: 0 } }), true],
    ['an open object further down', closed({ a: { anyOf: [{ type: 'object' }, { type: 'null' }] } }), false],
  ] as const) {
    it(`${strict ? 'takes' : 'leaves'} ${what}`, () => expect(isStrictSchema(schema)).to.equal(strict))
  }

  it('rejects bounds and references for Anthropic', () => {
    for (const part of [
      { type: 'integer', minimum: 0 },
      { $ref: '#' },
      { type: 'array', items: { type: 'null' }, maxItems: 3 },
    ])
      expect(isStrictSchema(closed({ a: part }), 'anthropic'), JSON.stringify(part)).to.equal(false)
    expect(isStrictSchema(closed({ a: { type: 'array', items: { type: 'string' } } }), 'anthropic')).to.equal(true)
  })

  it('accepts a recursive schema and limits nesting', () => {
    const tree = closed({ children: { type: 'array', items: { $ref: '#' } } })
    expect(isStrictSchema(tree)).to.equal(true)
    const deep = Array.from({ length: 12 }).reduce<object>((inner) => closed({ inner }), { type: 'null' })
    expect(isStrictSchema(deep)).to.equal(false)
  })

  it('rejects what zod produces for discriminated unions, URLs and string lengths', () => {
    const shape = z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('a') }),
      z.strictObject({ kind: z.literal('b') }),
    ])
    expect(isStrictSchema(closed({ part: withoutDialect(z.toJSONSchema(z.strictObject({ a: z.int() }))) }))).to.equal(
      true,
    )
    for (const part of [shape, z.url(), z.string().min(1), z.tuple([z.string()]), z.any()])
      expect(isStrictSchema(closed({ part: withoutDialect(z.toJSONSchema(part)) })), part.type).to.equal(false)
  })
})
