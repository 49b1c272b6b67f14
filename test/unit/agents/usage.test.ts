import { expect } from 'chai'
import { estimatedUsage, usageInChunk } from '../../../agents/models/usage.ts'

describe('usageInChunk', () => {
  for (const [what, chunk, expected] of [
    [
      'Anthropic’s beginning, whose parts exclude each other',
      {
        type: 'message_start',
        message: {
          usage: {
            input_tokens: 34,
            cache_read_input_tokens: 1_000,
            cache_creation_input_tokens: 200,
            output_tokens: 1,
          },
        },
      },
      { prompt_tokens: 1_234, completion_tokens: 1, cached_tokens: 1_000, cache_write_tokens: 200 },
    ],
    ['Anthropic’s end', { type: 'message_delta', usage: { output_tokens: 40 } }, { completion_tokens: 40 }],
    [
      'chat completions',
      { choices: [], usage: { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } } },
      { prompt_tokens: 9, completion_tokens: 2, cached_tokens: 4 },
    ],
    [
      'Groq',
      { x_groq: { usage: { prompt_tokens: 9, completion_tokens: 2 } } },
      { prompt_tokens: 9, completion_tokens: 2 },
    ],
    [
      'Responses',
      {
        type: 'response.completed',
        response: {
          usage: {
            input_tokens: 9,
            input_tokens_details: { cached_tokens: 8 },
            output_tokens: 7,
            output_tokens_details: { reasoning_tokens: 6 },
          },
        },
      },
      { prompt_tokens: 9, completion_tokens: 7, cached_tokens: 8, reasoning_tokens: 6 },
    ],
    [
      'Google, which counts thoughts apart from the answer',
      { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2, thoughtsTokenCount: 3 } },
      { prompt_tokens: 9, completion_tokens: 5, reasoning_tokens: 3 },
    ],
    ['a chunk without counts', { choices: [], usage: null }, {}],
    ['what is no object', '[DONE]', {}],
    ['counts that are none', { usage: { prompt_tokens: '9', completion_tokens: null } }, {}],
  ] as const) {
    it(`reads ${what}`, () => expect(usageInChunk(chunk)).to.deep.equal(expected))
  }
})

describe('estimatedUsage', () => {
  it('keeps what the provider told, and counts what came after', () => {
    const told = { prompt_tokens: 1_234, completion_tokens: 1, cached_tokens: 1_000 }
    expect(estimatedUsage(told, 'x'.repeat(9_000), 400)).to.deep.equal({
      prompt_tokens: 1_234,
      completion_tokens: 100,
      cached_tokens: 1_000,
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      source: 'estimated',
      prompt_source: 'measured',
    })
  })

  it('counts what was sent where nobody else did', () => {
    const { prompt_tokens } = estimatedUsage({}, { text: 'x'.repeat(400) }, 0)
    expect(prompt_tokens).to.be.within(100, 110)
  })
})
