import { expect } from 'chai'
import { usageInChunk, usageInEnd, usageOfAnswer } from '../../../agents/models/usage.ts'

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
    [
      'Anthropic’s writes to a cache, some of them for an hour',
      {
        type: 'message_start',
        message: {
          usage: {
            input_tokens: 4,
            cache_creation_input_tokens: 500,
            cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 400 },
          },
        },
      },
      { prompt_tokens: 504, cache_write_tokens: 500, cache_write_1h_tokens: 400 },
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
    ['counts that cannot be', { usage: { prompt_tokens: -9, completion_tokens: 1e300 } }, {}],
  ] as const) {
    it(`reads ${what}`, () => expect(usageInChunk(chunk)).to.deep.equal(expected))
  }
})

describe('usageInEnd', () => {
  const end = (prompt: number | undefined, completion: number | undefined) =>
    usageInEnd({
      inputTokens: { total: prompt, noCache: prompt, cacheRead: 0, cacheWrite: undefined },
      outputTokens: { total: completion, text: completion, reasoning: undefined },
    })

  it('reads what an adapter counted', () => {
    expect(end(9, 2)).to.deep.equal({ prompt_tokens: 9, completion_tokens: 2, cached_tokens: 0 })
  })

  for (const wrong of [-1, 1.5, Number.NaN, Infinity, 1e300, undefined]) {
    it(`takes ${wrong} for no count`, () => expect(end(wrong, wrong)).to.deep.equal({ cached_tokens: 0 }))
  }
})

describe('usageOfAnswer', () => {
  const sent = { text: 'x'.repeat(400) }

  it('is what a provider counted that ended its answer', () => {
    const told = { prompt_tokens: 100, completion_tokens: 20, cached_tokens: 60, reasoning_tokens: 15 }
    expect(usageOfAnswer({ told, isWhole: true, generated: 4_000 }, sent)).to.deep.equal({
      ...told,
      cache_write_tokens: 0,
      source: 'measured',
      prompt_source: 'measured',
    })
  })

  it('keeps what was told of an answer that broke off, and counts what came after', () => {
    const told = { prompt_tokens: 1_234, completion_tokens: 1, cached_tokens: 1_000 }
    expect(usageOfAnswer({ told, isWhole: false, generated: 400 }, 'x'.repeat(9_000))).to.deep.equal({
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
    const usage = usageOfAnswer({ told: { completion_tokens: 50 }, isWhole: true, generated: 40 }, sent)
    expect(usage.prompt_tokens).to.be.within(100, 110)
    expect(usage).to.include({ completion_tokens: 50, source: 'estimated', prompt_source: 'estimated' })
  })

  it('does not believe that an answer with text has no tokens', () => {
    const told = { prompt_tokens: 100, completion_tokens: 0 }
    const usage = usageOfAnswer({ told, isWhole: true, generated: 40 }, sent)
    expect(usage).to.include({ completion_tokens: 10, source: 'estimated', prompt_source: 'measured' })
    expect(usageOfAnswer({ told, isWhole: true, generated: 0 }, sent)).to.include({ source: 'measured' })
  })

  it('does not take a part for the whole that nobody counted', () => {
    const told = { cached_tokens: 30, completion_tokens: 9 }
    const usage = usageOfAnswer({ told, isWhole: true, generated: 40 }, sent)
    expect(usage.prompt_tokens).to.be.within(100, 110)
    expect(usage).to.include({ source: 'estimated', prompt_source: 'estimated' })
    const large = usageOfAnswer({ told: { ...told, cached_tokens: 3_000 }, isWhole: true, generated: 40 }, sent)
    expect(large).to.include({ prompt_tokens: 3_000, prompt_source: 'estimated' })
  })

  it('adds a part to its whole where the whole is too small to hold it', () => {
    const told = { prompt_tokens: 30, cached_tokens: 200, completion_tokens: 9, reasoning_tokens: 320 }
    expect(usageOfAnswer({ told, isWhole: true, generated: 40 }, sent)).to.include({
      prompt_tokens: 230,
      cached_tokens: 200,
      completion_tokens: 329,
      reasoning_tokens: 320,
      source: 'measured',
    })
  })
})
