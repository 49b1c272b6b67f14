import { expect } from 'chai'
import { spanOf, spanTree, type TraceEvent } from '../../../core/spans.ts'

const timestamp = new Date('2026-03-04T05:06:07.890Z')

function event(event_type: string, payload: object = {}, fields: Partial<TraceEvent> = {}): TraceEvent {
  const plain = { _id: 7, job_id: 'job', agent_name: 'writer', parent_id: 3, timestamp }
  return { ...plain, event_type, payload: JSON.stringify(payload), ...fields }
}

describe('spanOf', () => {
  it('shows the start of a task with its inputs', () => {
    expect(spanOf(event('task_start', { inputs: { topic: 'sea' }, worker: 'w' }))).to.deep.equal({
      ...{ id: 7, name: 'writer', type: 'agent', start_time: '2026-03-04T05:06:07.890Z', agent: 'writer' },
      ...{ event_type: 'task_start', input: { topic: 'sea' }, output: null, children: [] },
      metadata: { worker: 'w', job_id: 'job', parent_id: 3 },
    })
  })

  it('shows the end of a task with its result and, as numbers, what it took', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, by_model: [] }
    const span = spanOf(
      event('task_complete', { status: 'completed', result: { a: 1 }, duration_ms: 9, token_usage: usage }),
    )
    expect(span).to.deep.include({ name: 'writer', type: 'agent', input: {}, output: { a: 1 } })
    expect(span.start_time).to.equal('2026-03-04T05:06:07.890Z')
    expect(span.metadata).to.deep.include({ duration_ms: 9, prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 })
    expect(span.metadata).to.not.have.property('by_model')
  })

  it('takes the duration off the time of a call, and reads no value twice', () => {
    const call = { tool_name: 'search', parameters: { q: 'x' }, tool: 'search', params: { q: 'x' } }
    const span = spanOf(
      event('tool_call', { ...call, result: ['a'], status: 'success', duration_ms: 890, call_id: 'c' }),
    )
    expect(span).to.deep.include({ name: 'search', type: 'tool', input: { q: 'x' }, output: { result: ['a'] } })
    expect(span.start_time).to.equal('2026-03-04T05:06:07.000Z')
    expect(span.metadata).to.deep.equal({
      status: 'success',
      duration_ms: 890,
      call_id: 'c',
      job_id: 'job',
      parent_id: 3,
    })
  })

  it('names a model call after the model', () => {
    const span = spanOf(
      event('llm_usage', { provider: 'p', model: 'm', total_tokens: 5, response: 'hi', duration_ms: 1 }),
    )
    expect(span).to.deep.include({ name: 'm', type: 'llm', input: {}, output: { result: 'hi' } })
    expect(span.metadata).to.include({ provider: 'p', total_tokens: 5, duration_ms: 1 })
  })

  it('names a cache hit after what was cached', () => {
    expect(spanOf(event('cache_hit', { tool_name: 't', parameters: { a: 1 } }))).to.deep.include({
      ...{ name: 't', type: 'tool', input: { a: 1 }, output: null },
    })
    expect(spanOf(event('cache_hit', { model: 'm' }))).to.deep.include({ name: 'm', type: 'llm', input: {} })
  })

  it('names everything else after its type', () => {
    const delegation = spanOf(event('delegation', { target_agent: 'editor', inputs: { text: 'a' } }))
    expect(delegation).to.deep.include({ name: 'delegation', type: 'event', input: { text: 'a' }, output: null })
    expect(delegation.metadata).to.include({ target_agent: 'editor' })
    const error = spanOf(event('error', { error: 'bad', stack: 'at', code: 'x', retryable: false }))
    expect(error).to.deep.include({ name: 'error', type: 'event', output: { error: 'bad' } })
    expect(error.metadata).to.deep.include({ stack: 'at', code: 'x', retryable: false })
    expect(spanOf(event('something_new', { a: 1 })).metadata).to.include({ a: 1 })
    expect(spanOf(event('task_cancel_requested', { by: 'user' }))).to.deep.include({ name: 'writer', type: 'agent' })
  })

  it('keeps values that are objects in name only, and keys that mean something to JavaScript', () => {
    const payload = '{"inputs":{"__proto__":{"x":1},"a.b":"$","\\u0000":"\\ud800"}}'
    const span = spanOf(event('task_start', {}, { payload }))
    expect(JSON.stringify(span.input)).to.equal('{"__proto__":{"x":1},"a.b":"$","\\u0000":"\\ud800"}')
    expect(spanOf(event('tool_call', {})).name).to.equal('tool_call')
  })
})

describe('spanTree', () => {
  it('nests by parent, in the order of the ids, and puts at the top what has none here', () => {
    const tree = spanTree([
      event('task_start', {}, { _id: 1, parent_id: null }),
      event('delegation', {}, { _id: 2, parent_id: 1 }),
      event('task_start', {}, { _id: 3, parent_id: 2 }),
      event('error', {}, { _id: 4, parent_id: 99 }),
      event('llm_usage', {}, { _id: 5, parent_id: 3 }),
      event('task_complete', {}, { _id: 6, parent_id: 1 }),
    ])
    const shape = (spans: typeof tree): unknown => spans.map(({ id, children }) => [id, shape(children)])
    expect(shape(tree)).to.deep.equal([
      [
        1,
        [
          [2, [[3, [[5, []]]]]],
          [6, []],
        ],
      ],
      [4, []],
    ])
  })
})
