import { expect } from 'chai'
import { delegateInputs, offeredTools } from '../../../agents/models/offered-tools.ts'

describe('offeredTools', () => {
  it('offers the tools, then each delegate under its own name with its role and goal', () => {
    const parameters = { type: 'object', properties: {}, required: [] }
    const tool = {
      name: 'look',
      description: 'Looks.',
      parameters,
      validate: () => undefined,
      execute: () => 1,
      source: '',
    }
    const offered = offeredTools({ tools: [tool] }, [{ name: 'writer', role: 'Writer', goal: 'Write well' }])
    expect(offered[0]).to.deep.equal({ name: 'look', description: 'Looks.', parameters })
    expect(offered[1]?.name).to.equal('writer')
    expect(offered[1]?.description).to.contain('Writer').and.contain('Write well')
    expect(offered[1]?.parameters).to.have.nested.property('properties.query')
    expect(offered[1]?.parameters).to.have.nested.property('properties.inputs')
  })

  it('offers a delegate with a schema by that schema, unless it points into itself', () => {
    const delegate = { name: 'writer', role: 'Writer', goal: 'Write well' }
    const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
    const [offered] = offeredTools({ tools: [] }, [{ ...delegate, input: JSON.stringify(schema) }])
    expect(offered?.parameters).to.deep.equal({ type: 'object', properties: { inputs: schema }, required: ['inputs'] })
    const circular = { type: 'object', properties: { next: { $ref: '#' } } }
    const [free] = offeredTools({ tools: [] }, [{ ...delegate, input: JSON.stringify(circular) }])
    expect(free?.parameters).to.have.deep.nested.property('properties.inputs', { type: 'object' })
  })
})

describe('delegateInputs', () => {
  for (const [args, inputs] of [
    [{ query: 'x' }, { query: 'x' }],
    [{ inputs: { a: 1 } }, { a: 1 }],
    [{ query: 'x', inputs: { a: 1 } }, { a: 1 }],
    [{ query: 'x', inputs: null }, { query: 'x' }],
  ] as const) {
    it(`makes ${JSON.stringify(inputs)} of ${JSON.stringify(args)}`, () => {
      expect(delegateInputs(args)).to.deep.equal({ inputs })
    })
  }

  for (const args of [{}, { query: 5 }, { inputs: [] }, 'x', null, undefined]) {
    it(`tells the model what is wrong with ${JSON.stringify(args)}`, () => {
      expect(delegateInputs(args)).to.have.property('problem')
    })
  }
})
