import { expect } from 'chai'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { AnswerMessage } from '../../../agents/models/answer-message.ts'

describe('AnswerMessage', () => {
  const contentOf = (parts: LanguageModelV4StreamPart[]) => {
    const message = new AnswerMessage()
    for (const part of parts) message.add(part)
    return message.content
  }

  it('holds texts and thoughts that come in turns, in the order in which they began', () => {
    const content = contentOf([
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'H' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'Hel' },
      { type: 'reasoning-delta', id: '0', delta: 'm.' },
      { type: 'text-delta', id: '0', delta: 'lo' },
      { type: 'reasoning-end', id: '0', providerMetadata: { anthropic: { signature: 's' } } },
      { type: 'text-end', id: '0' },
    ])
    expect(content).to.deep.equal([
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 's' } } },
      { type: 'text', text: 'Hello' },
    ])
  })

  it('takes what the provider says of a part last, and leaves out a text of which nothing came', () => {
    const content = contentOf([
      { type: 'text-start', id: 'a', providerMetadata: { openai: { itemId: '1' } } },
      { type: 'text-end', id: 'a', providerMetadata: { openai: { itemId: '1', phase: 'final' } } },
      { type: 'text-start', id: 'b' },
      { type: 'text-end', id: 'b' },
      { type: 'text-delta', id: 'never begun', delta: 'x' },
    ])
    expect(content).to.deep.equal([
      { type: 'text', text: '', providerOptions: { openai: { itemId: '1', phase: 'final' } } },
    ])
  })

  it('leaves out blank texts, which Anthropic writes after thinking and rejects afterwards', () => {
    const content = contentOf([
      { type: 'text-start', id: 'a' },
      { type: 'text-delta', id: 'a', delta: '\n\n' },
      { type: 'text-end', id: 'a' },
    ])
    expect(content).to.deep.equal([])
  })

  it('holds calls with their arguments, {} where they are none, and no call that the provider made itself', () => {
    const call = { type: 'tool-call', toolName: 'search' } as const
    const content = contentOf([
      { ...call, toolCallId: '1', input: '{"q":"x"}', providerMetadata: { google: { thoughtSignature: 's' } } },
      { ...call, toolCallId: '2', input: '{"q' },
      { ...call, toolCallId: '3', input: '{}', providerExecuted: true },
    ])
    expect(content).to.deep.equal([
      { ...call, toolCallId: '1', input: { q: 'x' }, providerOptions: { google: { thoughtSignature: 's' } } },
      { ...call, toolCallId: '2', input: {} },
    ])
  })

  it('keeps what only the provider understands', () => {
    const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA==' } } as const
    expect(contentOf([file, { type: 'custom', kind: 'openai.compaction' }])).to.deep.equal([
      file,
      { type: 'custom', kind: 'openai.compaction' },
    ])
  })
})
