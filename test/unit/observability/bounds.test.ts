import { expect } from 'chai'
import type { ModelRequest, Turn } from '../../../agents/models/model.ts'
import { boundedLabel } from '../../../observability/bounded-label.ts'
import { inputMessages, outputMessages, shortJson } from '../../../observability/genai.ts'

describe('boundedLabel', () => {
  it('keeps the first values and calls all others one', () => {
    const label = boundedLabel(2)
    expect(['a', 'b', 'c', 'a', 'd'].map(label)).to.deep.equal(['a', 'b', 'other', 'a', 'other'])
  })
})

describe('What spans carry of a conversation', () => {
  const long = 'x'.repeat(100_000)
  const call = { id: '1', name: 'tool', arguments: { long } }
  const turns: Turn[] = Array.from({ length: 50 }, () => [
    { role: 'user' as const, text: long },
    { role: 'assistant' as const, text: long, calls: Array.from({ length: 50 }, () => call) },
    { role: 'tool' as const, results: Array.from({ length: 50 }, () => ({ ...call, output: long, isError: false })) },
  ]).flat()

  it('is bounded, and stays JSON', () => {
    const text = inputMessages({ turns } as ModelRequest)
    expect(text.length).to.be.below(120_000)
    expect(JSON.parse(text)).to.have.length(10)
    expect(JSON.parse(text).at(-1).role).to.equal('tool')
    expect(shortJson({ long }).length).to.equal(1_001)
  })

  it('says who said what', () => {
    const answer = { provider: 'p', model: 'm', text: 'yes', calls: [{ id: '1', name: 'tool', arguments: { n: 1 } }] }
    const usage = {
      prompt_tokens: 1,
      completion_tokens: 1,
      cached_tokens: 0,
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      source: 'measured' as const,
      prompt_source: 'measured' as const,
    }
    expect(JSON.parse(outputMessages({ ...answer, usage }))).to.deep.equal([
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: 'yes' },
          { type: 'tool_call', id: '1', name: 'tool', arguments: '{"n":1}' },
        ],
      },
    ])
  })

  it('takes values that JSON has no text for', () => {
    expect(shortJson(undefined)).to.equal('null')
  })
})
