import { expect } from 'chai'
import { defaultsOf, fieldsOfSchema, namedFields, problemOf, wordsOf } from '../../../dashboard/parts/schema.ts'

const SCHEMA = {
  type: 'object',
  required: ['review'],
  properties: {
    review: { type: 'string', minLength: 3, maxLength: 10 },
    language: { enum: ['en', 'de'], default: 'en' },
    stars: { type: 'integer', minimum: 1, maximum: 5 },
    large: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    tags: { type: 'array', items: { type: 'string' } },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    any: true,
  },
}

describe('The schema of what an agent takes', () => {
  const fields = fieldsOfSchema(SCHEMA)
  const field = (name: string) => fields.find((one) => one.name === name) ?? expect.fail(`no field ${name}`)

  it('is told in words', () => {
    expect(fields.map(({ schema }) => wordsOf(schema))).to.deep.equal([
      'text of 3 to 10 characters',
      '"en" or "de"',
      'whole number from 1 to 5',
      'whole number',
      'list of text',
      'text or nothing',
      'anything',
    ])
  })

  it('says which field is wrong', () => {
    const cases: [string, unknown, boolean][] = [
      ['review', undefined, true],
      ['review', 'ab', true],
      ['review', '👩‍🔬👩‍🔬👩‍🔬', false],
      ['language', undefined, false],
      ['language', 'fr', true],
      ['stars', 4, false],
      ['stars', 4.5, true],
      ['stars', 6, true],
      ['stars', '4', true],
      ['tags', ['a'], false],
      ['tags', 'a', true],
      ['note', 7, false],
      ['any', null, false],
    ]
    for (const [name, value, isWrong] of cases) {
      expect(problemOf(field(name), value) !== undefined, `${name}: ${JSON.stringify(value)}`).to.equal(isWrong)
    }
    expect(problemOf(field('stars'), 6)).to.equal('must be a whole number from 1 to 5')
  })

  it('begins with the defaults', () => {
    expect(defaultsOf(SCHEMA)).to.deep.equal({ language: 'en' })
  })

  it('finds the fields that the service names when it refuses inputs', () => {
    const detail =
      `inputs must have required property 'review'; inputs.stars must be integer; inputs.address.city must be string: ` +
      'the inputs do not match the schema of agent "judge"; see GET /api/agents.'
    expect([...namedFields(detail)]).to.deep.equal([
      ['review', 'is missing'],
      ['stars', 'must be integer'],
      ['address', 'must be string'],
    ])
    expect([...namedFields('The service cannot be reached.')]).to.deep.equal([])
  })
})
