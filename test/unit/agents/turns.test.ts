import { expect } from 'chai'
import { keptMessage, toPrompt } from '../../../agents/models/turns.ts'
import type { Turn } from '../../../agents/models/model.ts'
import { wireNames } from '../../../agents/models/wire-names.ts'

describe('toPrompt', () => {
  it('makes messages of every turn, with names as the provider knows them', () => {
    const { toWire } = wireNames(['team.writer'])
    const messages = toPrompt(
      [
        { role: 'user', text: 'Hello' },
        {
          role: 'assistant',
          text: 'One moment.',
          calls: [{ id: '1', name: 'team.writer', arguments: { query: 'x' } }],
        },
        { role: 'tool', results: [{ id: '1', name: 'team.writer', output: '{"a":1}', isError: false }] },
        { role: 'assistant', text: '', calls: [{ id: '2', name: 'search', arguments: {}, malformed: '{"x' }] },
        { role: 'tool', results: [{ id: '2', name: 'search', output: 'no JSON', isError: true }] },
      ],
      { toWire },
    )
    expect(messages).to.deep.equal([
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'One moment.' },
          { type: 'tool-call', toolCallId: '1', toolName: 'team_writer', input: { query: 'x' } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: '1', toolName: 'team_writer', output: { type: 'text', value: '{"a":1}' } },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '2', toolName: 'search', input: {} }] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: '2',
            toolName: 'search',
            output: { type: 'error-text', value: 'no JSON' },
          },
        ],
      },
    ])
  })

  it('leaves out turns that say nothing', () => {
    expect(
      toPrompt([
        { role: 'assistant', text: ' ', calls: [] },
        { role: 'tool', results: [] },
      ]),
    ).to.deep.equal([])
  })
})

describe('an assistant’s own message', () => {
  const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'team_writer', input: {} }
  const thought = { type: 'reasoning' as const, text: 'Hm.', providerOptions: { anthropic: { signature: 's' } } }
  const content = [thought, call]
  const turn = {
    role: 'assistant' as const,
    text: '',
    calls: [{ id: '1', name: 'team.writer', arguments: {} }],
    message: { role: 'assistant', content },
    provider: 'anthropic',
  }
  const asCalls = [{ role: 'assistant', content: [call] }]
  const { toWire } = wireNames(['team.writer'])

  it('goes back to its provider as it was', () => {
    expect(toPrompt([turn], { toWire, provider: 'anthropic' })).to.deep.equal([{ role: 'assistant', content }])
  })

  it('goes to nobody else', () => {
    expect(toPrompt([turn], { toWire, provider: 'openai' })).to.deep.equal(asCalls)
    expect(toPrompt([turn], { toWire })).to.deep.equal(asCalls)
    expect(toPrompt([{ ...turn, provider: undefined as never }], { toWire })).to.deep.equal(asCalls)
  })

  it('names a tool as it is called on the wire now', () => {
    const { toWire: other } = wireNames(['team.writer', 'team_writer'])
    const [message] = toPrompt([turn], { toWire: other, provider: 'anthropic' })
    expect(JSON.stringify(message)).to.contain('"team_writer_2"')
  })

  it('leaves out calls that were not kept', () => {
    const other = { ...call, toolCallId: '2', toolName: 'search' }
    const message = { role: 'assistant', content: [thought, other, call] }
    expect(toPrompt([{ ...turn, message }], { toWire, provider: 'anthropic' })).to.deep.equal([
      { role: 'assistant', content },
    ])
  })

  it('keeps its call ids with its provider; other providers get ids that all accept', () => {
    const id = 'functions.search:0'
    const given: Turn[] = [
      { ...turn, calls: [{ id, name: 'search', arguments: {} }], message: undefined },
      { role: 'tool', results: [{ id, name: 'search', output: '1', isError: false }] },
    ]
    const ids = (provider: string) =>
      toPrompt(given, { provider }).map(({ content: [part] }) => (part as { toolCallId: string }).toolCallId)
    expect(ids('anthropic')).to.deep.equal([id, id])
    const [ofCall, ofResult] = ids('openai')
    expect(ofCall).to.equal(ofResult)
    expect(ofCall).to.match(/^[a-zA-Z0-9_-]{1,40}$/)
  })

  it('is passed over when it is no message', () => {
    for (const message of [5, null, {}, { content: 'text' }]) {
      expect(toPrompt([{ ...turn, message }], { toWire, provider: 'anthropic' })).to.deep.equal(asCalls)
    }
  })

  it('is kept only where text and calls do not say everything', () => {
    const text = { type: 'text' as const, text: 'Hi.' }
    expect(keptMessage([])).to.equal(undefined)
    expect(keptMessage([text, call])).to.equal(undefined)
    expect(keptMessage(content)).to.deep.equal(turn.message)
    const signed = [{ ...text, providerOptions: { google: { thoughtSignature: 's' } } }]
    expect(keptMessage(signed)).to.deep.equal({ role: 'assistant', content: signed })
  })
})

describe('wireNames', () => {
  it('keeps what providers accept, and gives everything else a form of its own', () => {
    const long = 'x'.repeat(100)
    const names = ['a.b', 'a_b', 'a-b', 'a b', long, `${long}y`, '3d', '-x', `7${long}`]
    const { toWire, fromWire } = wireNames(names)
    const wire = names.map(toWire)
    expect(wire.slice(0, 4)).to.deep.equal(['a_b_2', 'a_b', 'a-b', 'a_b_3'])
    expect(new Set(wire).size).to.equal(names.length)
    for (const name of wire) expect(name).to.match(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
    expect(wire.map(fromWire)).to.deep.equal(names)
  })

  it('leaves a name that was not offered as it came', () => {
    expect(wireNames([]).fromWire('surprise')).to.equal('surprise')
  })
})
