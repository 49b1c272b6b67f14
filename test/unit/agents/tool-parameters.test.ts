import { expect } from 'chai'
import { checkArguments, normaliseParameters } from '../../../agents/tool-parameters.ts'
import { toolArguments } from '../../../agents/models/tool-arguments.ts'
import { objectsInText } from '../../../agents/structured/json-in-text.ts'

describe('What is wrong with arguments', () => {
  const schema = {
    type: 'object',
    properties: { texts: { type: 'array', items: { type: 'string' } }, n: { type: 'number' } },
  }
  const check = checkArguments(schema, normaliseParameters(schema, 'parameters'))
  const problemOf = (value: unknown): string => {
    const checked = check(value)
    return 'problem' in checked ? checked.problem : ''
  }

  it('is told whole of a small value', () => {
    expect(problemOf({ texts: ['a', 1, 'b', 2], n: 'x' })).to.equal(
      'arguments.texts.1 must be string; arguments.texts.3 must be string; arguments.n must be number',
    )
  })

  it('is told by its first sentence of a value that may have millions of problems', () => {
    expect(problemOf({ texts: Array.from({ length: 900_000 }, () => 1), n: 'x' })).to.equal(
      'arguments.texts.0 must be string',
    )
  })

  it('is never a long text', () => {
    expect(problemOf({ texts: Array.from({ length: 5_000 }, () => 1) })).to.have.length(2_000)
  })

  it('is their depth when nobody could write them down again', () => {
    const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
    expect(toolArguments(nested(10))).to.have.property('a')
    expect(toolArguments(nested(5_000))).to.equal(undefined)
    expect(objectsInText(nested(10))).to.not.have.length(0)
    expect(objectsInText(nested(5_000))).to.have.length(0)
  })
})
