import { expect } from 'chai'
import { z } from 'zod'
import type { LoadedSchema } from '../../../agents/loaded-agent.ts'
import { toLoadedAgent } from '../../../agents/loaded-agent.ts'
import { FINAL_ANSWER } from '../../../agents/structured/final-answer.ts'
import { judgeAnswer, type StructuredAnswer } from '../../../agents/structured/judge-answer.ts'

const output = { type: 'object', properties: { score: { type: 'integer' } }, required: ['score'] }

function schemaOf(definition: object): LoadedSchema {
  const agent = { name: 'a', role: 'r', goal: 'g', model: 'openai/m', output: definition }
  return toLoadedAgent(agent as never, 'a.ts').outputSchema as LoadedSchema
}

describe('judgeAnswer', () => {
  const { check } = schemaOf(output)
  const judge = (answer: Partial<StructuredAnswer>) =>
    judgeAnswer({ text: '', calls: [], byTool: false, check, repairs: 0, maxRepairs: 1, ...answer })
  const final = (args: Record<string, unknown>, id = 'f') => ({ id, name: FINAL_ANSWER, arguments: args })
  const accepted = { kind: 'output', output: { score: 3 }, repaired: false }

  for (const [what, text] of [
    ['JSON', ' {"score": 3}\n'],
    ['JSON in a fence', 'Here you are:\n```json\n{"score": 3}\n```\nAnything else?'],
    ['the last of several fences', '```\n{"scores": [3]}\n```\nor rather\n```json\n{"score": 3}\n```'],
    ['JSON between words', 'The result is {"score": 3}, I think.'],
  ] as const) {
    it(`takes ${what} for an output, without a further call`, () => expect(judge({ text })).to.deep.equal(accepted))
  }

  it('takes the arguments of the final tool for an output', () => {
    expect(judge({ byTool: true, calls: [final({ score: 3 })] })).to.deep.equal(accepted)
  })

  it('takes JSON in the text where the final tool was forgotten', () => {
    expect(judge({ byTool: true, text: '{"score": 3}' })).to.deep.equal(accepted)
  })

  it('takes the first of several final answers that fits', () => {
    expect(judge({ byTool: true, calls: [final({}, '1'), final({ score: 3 }, '2')] })).to.deep.equal(accepted)
  })

  it('gives what zod makes of an output', () => {
    const zod = schemaOf(z.object({ score: z.number().default(3) }))
    expect(judge({ text: '{}', check: zod.check })).to.deep.equal(accepted)
  })

  it('says that an output was repaired', () => {
    expect(judge({ text: '{"score": 3}', repairs: 1 })).to.deep.equal({ ...accepted, repaired: true })
  })

  it('lets other tools go first, also where a final answer stands beside them', () => {
    const search = { id: 's', name: 'search', arguments: {} }
    expect(judge({ byTool: true, calls: [search] })).to.deep.equal({ kind: 'calls' })
    expect(judge({ byTool: true, calls: [final({ score: 3 }), search] })).to.deep.equal({ kind: 'calls' })
  })

  for (const [what, text, problem] of [
    ['words', 'Three points.', 'the answer is no JSON object'],
    ['an array', '[3]', 'the answer is no JSON object'],
    ['half an object', '{"score": ', 'the answer is no JSON object'],
    ['a wrong type', '{"score": "3"}', 'output.score must be integer'],
    ['a missing field', '{}', `output must have required property 'score'`],
  ] as const) {
    it(`has ${what} repaired in the conversation, once, and never accepts it`, () => {
      const first = judge({ text })
      expect(first).to.include({ kind: 'repair', problem })
      expect(first).to.have.property('sentence').that.contains(problem).and.contains('JSON object alone')
      expect(judge({ text, repairs: 1 })).to.deep.equal({ kind: 'invalid', problem, raw: text })
    })
  }

  it('has a final call repaired that does not fit', () => {
    const malformed = { id: 'f', name: FINAL_ANSWER, arguments: {}, malformed: '{"score": ' }
    for (const call of [final({ score: 'x' }), malformed]) {
      const judgement = judge({ byTool: true, calls: [call] })
      expect(judgement).to.have.property('kind', 'repair')
      expect(judgement).to.have.property('sentence').that.contains(`Call ${FINAL_ANSWER} again`)
    }
    const kept = judge({ byTool: true, calls: [malformed], repairs: 1 })
    expect(kept).to.include({ kind: 'invalid', raw: '{"score": ' })
  })

  it('asks for the final tool where a text is not it', () => {
    expect(judge({ byTool: true, text: 'Done.' })).to.include({ problem: `${FINAL_ANSWER} was not called` })
  })

  it('repairs nothing where no repair is allowed', () => {
    expect(judge({ text: 'x', maxRepairs: 0 })).to.include({ kind: 'invalid', raw: 'x' })
  })
})
