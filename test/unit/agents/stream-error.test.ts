import { expect } from 'chai'
import { StreamError, streamErrorOf } from '../../../agents/models/stream-error.ts'

describe('streamErrorOf', () => {
  const message = 'no more'
  for (const [who, error, told] of [
    ['Anthropic', { type: 'error', error: { type: 'overloaded_error', message } }, { type: 'overloaded_error' }],
    [
      'OpenAI',
      { type: 'response.failed', response: { error: { code: 'rate_limit_exceeded', message } } },
      { code: 'rate_limit_exceeded', type: 'response.failed' },
    ],
    ['OpenAI, short', { type: 'error', code: 'invalid_prompt', message }, { type: 'error', code: 'invalid_prompt' }],
    ['Google', { error: { code: 503, status: 'UNAVAILABLE', message } }, { status: 503 }],
  ] as const) {
    it(`reads what ${who} says`, () => {
      const found = streamErrorOf(error)
      expect(found).to.be.instanceOf(StreamError)
      expect(found).to.include({ message, ...told })
    })
  }

  it('leaves alone what is an error already, or says nothing', () => {
    const known = new Error('x')
    expect(streamErrorOf(known)).to.equal(known)
    expect(streamErrorOf('broken')).to.equal('broken')
  })
})
