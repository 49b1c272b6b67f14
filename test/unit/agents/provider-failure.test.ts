import { APICallError, TypeValidationError } from '@ai-sdk/provider'
import { expect } from 'chai'
import { toModelError } from '../../../agents/models/provider-failure.ts'
import { bodyErrorOf, streamErrorOf } from '../../../agents/models/stream-error.ts'
import { UNKNOWN_USAGE } from '../../../agents/models/usage.ts'

const response = (statusCode: number | undefined, body: unknown, fields: object = {}) =>
  new APICallError({
    message: 'the provider’s sentence',
    url: 'http://provider',
    requestBodyValues: { secret: 'x' },
    responseBody: typeof body === 'string' ? body : JSON.stringify(body),
    ...(statusCode !== undefined && { statusCode }),
    ...fields,
  })
const inStream = (fields: object) => streamErrorOf({ error: { message: 'the provider’s sentence', ...fields } })
const unknownForm = (error: unknown) => streamErrorOf(new TypeValidationError({ value: { error }, cause: 'x' }))
const network = (code: string) =>
  response(undefined, '', { cause: Object.assign(new Error('connect'), { code }), isRetryable: true })

describe('toModelError', () => {
  const failed = (error: unknown, begun = false) =>
    toModelError({ error, name: 'p/m', now: new Date(), usage: UNKNOWN_USAGE, partialText: 'so far', begun })

  for (const [what, error, code, kind] of [
    ['a quota that is used up', response(429, { error: { code: 'insufficient_quota' } }), 'quota_exhausted', 'refused'],
    [
      'a bill that is not paid',
      response(402, { error: { message: 'Insufficient Balance' } }),
      'quota_exhausted',
      'refused',
    ],
    [
      'a quota that is used up, within OpenAI’s response',
      response(429, { type: 'response.failed', response: { error: { code: 'insufficient_quota', message: 'x' } } }),
      'quota_exhausted',
      'refused',
    ],
    ['a limit', response(429, { error: { code: 'rate_limit_exceeded' } }), 'rate_limited', 'pushback'],
    [
      'a conversation that is too long, by its code',
      response(400, { error: { code: 'context_length_exceeded' } }),
      'context_overflow',
      'refused',
    ],
    [
      'a conversation that is too long, by Anthropic’s sentence',
      response(400, {}, { message: 'prompt is too long: 208310 tokens > 200000 maximum' }),
      'context_overflow',
      'refused',
    ],
    [
      'a conversation that is too long, by vLLM’s sentence',
      response(400, {}, { message: "This model's maximum context length is 4096 tokens. However, you requested 5000" }),
      'context_overflow',
      'refused',
    ],
    [
      'a request that alone exceeds the limit of a minute',
      response(
        429,
        { error: { code: 'rate_limit_exceeded', type: 'tokens' } },
        { message: 'Request too large for gpt-5' },
      ),
      'context_overflow',
      'refused',
    ],
    [
      'the same error of Groq',
      response(413, { error: { code: 'rate_limit_exceeded' } }, { message: 'Request too large for model `x`' }),
      'context_overflow',
      'refused',
    ],
    [
      'an Anthropic account without credit',
      response(400, {}, { message: 'Your credit balance is too low to access the Anthropic API.' }),
      'quota_exhausted',
      'refused',
    ],
    [
      'an invalid key of Google',
      response(400, {}, { message: 'API key not valid. Please pass a valid API key.' }),
      'provider_unauthorized',
      'refused',
    ],
    [
      'a call that Groq could not read',
      response(400, { error: { code: 'tool_use_failed', type: 'invalid_request_error' } }),
      'malformed_answer',
      'malformed',
    ],
    ['a page instead of an error', response(502, '<html>Bad gateway</html>'), 'provider_unavailable', 'pushback'],
    ['a body that is no answer', response(200, '<html>', { isRetryable: false }), 'malformed_answer', 'malformed'],
    ['a body that broke', response(200, '', { isRetryable: true }), 'provider_unavailable', 'pushback'],
    ['nobody at the address', network('ECONNREFUSED'), 'provider_unavailable', 'pushback'],
    [
      'an overload in the stream',
      inStream({ type: 'overloaded_error', statusCode: 529 }),
      'provider_unavailable',
      'pushback',
    ],
    ['a limit in the stream', inStream({ type: 'rate_limit_error' }), 'rate_limited', 'pushback'],
    ['a wrong request in the stream', inStream({ code: 'invalid_prompt' }), 'provider_refused', 'refused'],
    ['an error of the server in the stream', inStream({ code: 'server_error' }), 'provider_unavailable', 'pushback'],
    ['an error of vLLM’s in the stream', inStream({ type: 'InternalServerError' }), 'provider_unavailable', 'pushback'],
    ['an unknown error in the stream', inStream({ type: 'mystery' }), 'provider_error', 'pushback'],
    [
      'a limit in the stream, in a form of its own',
      unknownForm({ message: 'x', type: 'rate_limit_error', code: 429 }),
      'rate_limited',
      'pushback',
    ],
    ['a sentence in the stream', unknownForm('upstream died'), 'provider_error', 'pushback'],
    [
      'a sentence in a body that says when to come back',
      bodyErrorOf({ error: 'the model is being loaded' }, { 'retry-after': '20' }),
      'provider_unavailable',
      'pushback',
    ],
    [
      'a wrong key in the stream',
      unknownForm({ message: 'x', code: 'invalid_api_key' }),
      'provider_unauthorized',
      'refused',
    ],
    ['something that is no error, in the stream', unknownForm(null), 'malformed_answer', 'malformed'],
    ['an answer without the fields', new TypeError('x is undefined'), 'malformed_answer', 'malformed'],
    [
      'an answer that an adapter stumbles over',
      new Error('Expected a normalized stream error'),
      'malformed_answer',
      'malformed',
    ],
    [
      'a connection that breaks',
      Object.assign(new Error('read'), { code: 'ECONNRESET' }),
      'provider_unavailable',
      'pushback',
    ],
    [
      'a connection that fails',
      new TypeError('fetch failed', { cause: new Error('x') }),
      'provider_unavailable',
      'pushback',
    ],
  ] as const) {
    it(`takes ${what} as ${kind}`, () => {
      const made = failed(error)
      expect(made).to.include({ code, kind, retryable: kind !== 'refused' })
      expect(made.message).to.contain('p/m')
      expect(JSON.stringify(made)).not.to.contain('secret')
    })
  }

  it('counts nothing for a call that reached nobody, or was refused', () => {
    expect(failed(network('ECONNREFUSED')).usage).to.equal(undefined)
    expect(failed(network('ENOTFOUND')).usage).to.equal(undefined)
    expect(failed(response(503, '')).usage).to.equal(undefined)
  })

  it('says that the usage is unknown when a connection broke before an answer', () => {
    expect(failed(network('ECONNRESET')).usage).to.include({ source: 'unknown' })
  })

  it('keeps usage and text of an answer that had begun', () => {
    const made = failed(inStream({ type: 'overloaded_error', statusCode: 529 }), true)
    expect(made).to.include({ partialText: 'so far', usage: UNKNOWN_USAGE, status: 529 })
  })
})
