import { expect } from 'chai'
import type { AgentDefinition } from '../../../agents/definition.ts'
import type { ModelError, ModelRequest } from '../../../agents/models/model.ts'
import { scriptedModel } from '../../../agents/models/scripted-model.ts'

function request(script: unknown, overrides: Partial<ModelRequest> = {}): ModelRequest {
  const agent = { name: 'tested', role: 'r', goal: 'g', model: 'scripted', script } as AgentDefinition
  return { agent, inputs: { a: 1 }, turns: [], tools: [], step: 2, signal: new AbortController().signal, ...overrides }
}

async function failureOf(promise: Promise<unknown>): Promise<ModelError> {
  return promise.then(
    () => expect.fail('the call should have failed'),
    (error: unknown) => error as ModelError,
  )
}

describe('the scripted model', () => {
  it('answers with text; without usage it says that nobody counted', async () => {
    expect(await scriptedModel.generate(request(() => ({ text: 'Hi.' })))).to.deep.equal({
      provider: 'scripted',
      model: 'scripted',
      text: 'Hi.',
      calls: [],
      usage: {
        prompt_tokens: 0,
        completion_tokens: 0,
        cached_tokens: 0,
        cache_write_tokens: 0,
        reasoning_tokens: 0,
        source: 'unknown',
        prompt_source: 'unknown',
      },
    })
  })

  it('writes word by word when its script says how long that takes, and stops when the call is ended', async () => {
    const pieces: string[] = []
    const onDelta = ({ text }: { text: string }) => void pieces.push(text)
    const text = 'One  two\nthree '
    await scriptedModel.generate(request(() => ({ text, writeMs: 30 }), { onDelta }))
    expect(pieces.length).to.be.above(2)
    expect(pieces.join('')).to.equal(text)
    const ending = new AbortController()
    const endless = scriptedModel.generate(
      request(() => ({ text, writeMs: 60_000 }), { onDelta: () => ending.abort(), signal: ending.signal }),
    )
    expect(await failureOf(endless)).to.include({ kind: 'aborted' })
  })

  it('asks for calls, each under an id of its own, and reports the usage of the script', async () => {
    const script = async () => ({
      toolCalls: [{ name: 'a', arguments: { x: 1 } }, { name: 'b' }],
      usage: { prompt_tokens: 3, completion_tokens: 4 },
    })
    const { calls, usage } = await scriptedModel.generate(request(script))
    expect(calls).to.deep.equal([
      { id: 'call_2_0', name: 'a', arguments: { x: 1 } },
      { id: 'call_2_1', name: 'b', arguments: {} },
    ])
    expect(usage).to.deep.equal({
      prompt_tokens: 3,
      completion_tokens: 4,
      cached_tokens: 0,
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      source: 'measured',
      prompt_source: 'measured',
    })
  })

  it('shows the script the inputs, the conversation and the results of all calls, oldest first', async () => {
    let seen: unknown
    const script = (state: unknown) => {
      seen = state
      return { text: '' }
    }
    const parameters = { type: 'object', properties: {}, required: [] }
    await scriptedModel.generate(
      request(script, {
        tools: [{ name: 'look', description: 'd', parameters }],
        turns: [
          { role: 'user', text: 'Go' },
          {
            role: 'assistant',
            text: 'First.',
            calls: [
              { id: '1', name: 'look', arguments: { at: 'x' } },
              { id: '2', name: 'look', arguments: { at: 'y' } },
            ],
          },
          {
            role: 'tool',
            results: [
              { id: '1', name: 'look', output: '{"found":true}', isError: false },
              { id: '2', name: 'look', output: 'no such place', isError: true },
            ],
          },
        ],
      }),
    )
    expect(seen).to.deep.equal({
      inputs: { a: 1 },
      messages: [
        { role: 'user', content: 'Go' },
        {
          role: 'assistant',
          content: 'First.',
          toolCalls: [
            { name: 'look', arguments: { at: 'x' } },
            { name: 'look', arguments: { at: 'y' } },
          ],
        },
        { role: 'tool', name: 'look', content: '{"found":true}' },
        { role: 'tool', name: 'look', content: 'no such place' },
      ],
      step: 2,
      results: [
        { name: 'look', arguments: { at: 'x' }, result: { found: true } },
        { name: 'look', arguments: { at: 'y' }, error: 'no such place' },
      ],
      tools: [{ name: 'look', parameters }],
      agent: 'tested',
    })
  })

  for (const [what, script, sentence] of [
    ['returns nothing', () => undefined, 'returned nothing at step 2'],
    ['returns garbage', () => ({ answer: 'x' }), 'returned neither { text } nor { toolCalls }'],
    ['returns no calls', () => ({ toolCalls: [] }), 'returned neither'],
    ['returns text that is none', () => ({ text: 5 }), 'returned neither'],
    [
      'returns negative usage',
      () => ({ text: '', usage: { prompt_tokens: -1, completion_tokens: 0 } }),
      'returned neither',
    ],
    [
      'throws',
      () => {
        throw new Error('over-called')
      },
      'threw at step 2: over-called',
    ],
    ['is missing', undefined, 'is missing'],
  ] as const) {
    it(`fails for good when the script ${what}`, async () => {
      const error = await failureOf(scriptedModel.generate(request(script)))
      expect(error).to.include({ name: 'ModelError', code: 'script_failed', retryable: false })
      expect(error.message).to.contain('agent tested').and.contain(sentence)
    })
  }

  it('does not wait for a script when the run is aborted', async () => {
    const controller = new AbortController()
    const generated = failureOf(
      scriptedModel.generate(request(() => new Promise(() => undefined), { signal: controller.signal })),
    )
    controller.abort()
    expect((await generated).name).to.equal('AbortError')
  })
})
