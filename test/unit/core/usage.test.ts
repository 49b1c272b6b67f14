import { expect } from 'chai'
import { tokenUsage } from '../../../core/usage.ts'

describe('token usage', () => {
  it('is zero before the first model call', () => {
    expect(tokenUsage({})).to.deep.equal({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, by_model: [] })
  })

  it('adds up what each model used, in the order of their names', () => {
    const small = { provider: 'a', model: 'small', prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, calls: 1 }
    const large = {
      provider: 'a',
      model: 'large',
      prompt_tokens: 10,
      completion_tokens: 20,
      total_tokens: 30,
      calls: 2,
    }
    expect(tokenUsage({ 'a/small': small, 'a/large': large })).to.deep.equal({
      prompt_tokens: 11,
      completion_tokens: 22,
      total_tokens: 33,
      by_model: [large, small],
    })
  })
})
