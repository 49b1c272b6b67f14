import { expect } from 'chai'
import { z } from 'zod'
import { isStrictSchema } from '../../../agents/structured/strict-schema.ts'
import { toLoadedAgent } from '../../../agents/loaded-agent.ts'

describe('an agent’s schemas', () => {
  const agent = (fields: object) =>
    toLoadedAgent({ name: 'a', role: 'r', goal: 'g', model: 'openai/m', ...fields } as never, 'a.ts')

  it('are JSON Schemas of an object, whatever they were written in', () => {
    const { inputSchema, outputSchema } = agent({
      input: z.object({ city: z.string(), days: z.number().default(3) }),
      output: { properties: { score: { type: 'integer' } }, required: ['score'] },
    })
    expect(inputSchema?.json).to.deep.include({ type: 'object', required: ['city'] })
    expect(inputSchema?.check({ city: 'Bern' })).to.deep.equal({ value: { city: 'Bern', days: 3 } })
    expect(inputSchema?.check({})).to.have.property('problem').that.contains('inputs.city')
    expect(outputSchema?.json).to.include({ type: 'object' })
    expect(outputSchema?.check({ score: '3' })).to.deep.equal({ problem: 'output.score must be integer' })
  })

  it('hold a model to a zod object’s own keys', () => {
    const schema = z.object({ score: z.number(), parts: z.array(z.object({ name: z.string() })) })
    const { inputSchema, outputSchema } = agent({ input: schema, output: schema })
    expect(isStrictSchema(outputSchema?.json ?? {})).to.equal(true)
    expect(inputSchema?.json).not.to.have.property('additionalProperties')
    const open = agent({ output: z.looseObject({ score: z.number() }) }).outputSchema?.json
    expect(open?.additionalProperties).to.deep.equal({})
  })

  it('are absent where the agent has none', () => {
    expect(agent({})).to.include({ inputSchema: undefined, outputSchema: undefined })
  })

  it('must describe objects', () => {
    expect(() => agent({ output: { type: 'string' } })).to.throw('output must describe an object')
    expect(() => agent({ input: z.string() })).to.throw('input must describe an object')
    expect(() => agent({ output: { type: 'object', required: 5 } })).to.throw('output must be a valid JSON Schema')
  })

  it('change the fingerprint', () => {
    const prints = [
      {},
      { input: z.object({ a: z.string() }) },
      { output: z.object({ a: z.string() }) },
      { output: z.object({ a: z.number() }) },
      { outputRepairs: 2, output: z.object({ a: z.number() }) },
    ].map((fields) => agent(fields).fingerprint)
    expect(new Set(prints).size).to.equal(prints.length)
  })
})
