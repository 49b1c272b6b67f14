import { expect } from 'chai'
import { LiveAnswers, type DeltaEvent, type Schema, type SpansEvent } from '../../../client/index.ts'

function delta(change: Partial<DeltaEvent>): DeltaEvent {
  const place = { job_id: 'job', agent_name: 'writer', step: '0.m00000', attempt: 1, offset: 0 }
  return { type: 'delta', ...place, kind: 'text', text: '', ...change }
}

function ends(event_type: Schema<'Span'>['event_type'], metadata: object = {}, agent = 'writer'): SpansEvent {
  const span = {
    id: 1,
    name: '',
    type: 'llm',
    start_time: '',
    agent,
    event_type,
    input: {},
    output: null,
    children: [],
  }
  return { type: 'spans', spans: [{ ...span, metadata: { job_id: 'job', ...metadata } } as Schema<'Span'>] }
}

describe('Live model outputs that are assembled from deltas', () => {
  it('grow by kind, each call on its own', () => {
    const live = new LiveAnswers()
    live.accept(delta({ kind: 'reasoning', text: 'Hm.' }))
    live.accept(delta({ offset: 3, text: 'The ' }))
    live.accept(delta({ step: '0.c000.m00000', agent_name: 'analyst', text: 'Other' }))
    live.accept(delta({ offset: 7, text: 'sky' }))
    expect(live.all.map(({ text, reasoning }) => [text, reasoning])).to.deep.equal([
      ['The sky', 'Hm.'],
      ['Other', ''],
    ])
  })

  it('end with the event of their call, even if a delta arrives late', () => {
    const live = new LiveAnswers()
    live.accept(delta({ text: 'The' }))
    live.accept(delta({ step: '0.m00001', text: 'Second' }))
    expect(live.accept(ends('llm_usage', { step: '0.m00000' }))).to.equal(true)
    expect(live.accept(delta({ offset: 3, text: ' sky' }))).to.equal(false)
    expect(live.all.map(({ text }) => text)).to.deep.equal(['Second'])
    live.accept(delta({ attempt: 2, text: 'Anew' }))
    expect(live.all.map(({ text }) => text)).to.deep.equal(['Second', 'Anew'])
  })

  it('restart with a later attempt and with a reopened stream', () => {
    const live = new LiveAnswers()
    live.accept(delta({ text: 'Lost' }))
    live.accept(delta({ attempt: 2, reset: true, text: 'Found' }))
    live.accept(delta({ attempt: 2, text: 'Found again' }))
    expect(live.all.map(({ text }) => text)).to.deep.equal(['Found again'])
  })

  it('end with their agent where they failed without an event, and with the execution', () => {
    const live = new LiveAnswers()
    live.accept(delta({ text: 'The' }))
    expect(live.accept(ends('task_complete', {}, 'analyst'))).to.equal(false)
    expect(live.accept(ends('task_complete'))).to.equal(true)
    live.accept(delta({ step: '0.m00007', text: 'More' }))
    expect(live.accept({ type: 'complete', status: 'canceled', outputs: {}, error: null, spans: [] })).to.equal(true)
    expect(live.all).to.deep.equal([])
  })
})
