import { expect } from 'chai'
import type { EventDraft, LedgerEntry } from '../../../store/ledger-entry.ts'
import { counterUpdate, firstIds, groupWrites, traceDocuments } from '../../../store/ledger-writes.ts'

const AT = new Date('2026-01-02T03:04:05.678Z')

function draft(more: Partial<EventDraft> = {}): EventDraft {
  return { type: 'tool_call', agent: 'a', parent: null, payload: '{}', at: AT, ...more }
}

function entry(jobId: string, path: string, more: Partial<LedgerEntry> = {}): LedgerEntry {
  return { jobId, batchId: undefined, path, events: [], ...more }
}

const completed = { status: 'completed', outputs: { json: '{}' }, error: null, latencyMs: 40, at: AT } as const
const failed = { ...completed, status: 'failed', error: 'no', latencyMs: 0 } as const
const canceled = { ...completed, status: 'canceled', outputs: null, latencyMs: 0 } as const

describe('traceDocuments', () => {
  it('counts on from the last id, and points children to parents of the same group', () => {
    const start = { id: null }
    const documents = traceDocuments(
      [
        entry('j1', '0.start', { events: [draft({ type: 'task_start', reference: start })] }),
        entry('j1', 'mark'),
        entry('j2', '0.m', { batchId: 'b', events: [draft({ parent: 7 }), draft({ parent: null })] }),
        entry('j1', '0.m', { events: [draft({ parent: start, payload: '{"x":1}' })] }),
      ],
      10,
    )
    expect(documents.map(({ _id, job_id, parent_id }) => [_id, job_id, parent_id])).to.deep.equal([
      [11, 'j1', null],
      [12, 'j2', 7],
      [13, 'j2', null],
      [14, 'j1', 11],
    ])
    expect(documents[1]).to.have.property('batch_id', 'b')
    expect(documents[3]).not.to.have.property('batch_id')
    expect(documents[3]).to.include({ payload: '{"x":1}', agent_name: 'a', event_type: 'tool_call', timestamp: AT })
  })
})

describe('firstIds', () => {
  it('gives the id of the first event of each entry', () => {
    const two = { events: [draft(), draft()] }
    expect(firstIds([entry('j', 'a', two), entry('j', 'b'), entry('j', 'c', two)], 0)).to.deep.equal([1, undefined, 3])
  })
})

describe('groupWrites', () => {
  it('records every step with the id of its first event and its result', () => {
    const { steps } = groupWrites(
      [entry('j', '0.m', { events: [draft()], result: { json: '1' } }), entry('j', 'mark')],
      4,
    )
    expect(steps.map(({ at: _at, ...step }) => step)).to.deep.equal([
      { _id: 'j|0.m', job_id: 'j', result: { json: '1' }, trace_id: 5 },
      { _id: 'j|mark', job_id: 'j', result: null },
    ])
  })

  it('spares the record of a step only where the one that makes it needless is in the same group', () => {
    const start = entry('j', '0.start', { until: 'end' })
    const keys = (entries: LedgerEntry[]) => groupWrites(entries, 0).steps.map(({ _id }) => _id)
    expect(keys([start, entry('j', 'end')])).to.deep.equal(['j|end'])
    expect(keys([start, entry('other', 'end')])).to.deep.equal(['j|0.start', 'other|end'])
  })

  it('adds up what one execution did in one update', () => {
    const usage = { provider: 'p', model: 'm.1', prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, calls: 1 }
    const { executions } = groupWrites(
      [
        entry('j', 'a', { events: [draft(), draft()], usage }),
        entry('j', 'b', { usage }),
        entry('j', 'end', { events: [draft()], finish: completed }),
      ],
      0,
    )
    expect(executions).to.have.length(1)
    const [{ updateOne }] = executions as unknown as [
      { updateOne: { update: Record<string, Record<string, unknown>> } },
    ]
    expect(updateOne.update.$max).to.deep.equal({ last_trace_id: 3 })
    expect(updateOne.update.$inc).to.deep.equal({
      'usage.p%2Fm%2E1.prompt_tokens': 2,
      'usage.p%2Fm%2E1.completion_tokens': 4,
      'usage.p%2Fm%2E1.total_tokens': 6,
      'usage.p%2Fm%2E1.calls': 2,
    })
    expect(updateOne.update.$set).to.include({ status: 'completed', error: null, completed_at: AT })
  })

  it('leaves the end of a canceled execution open until it has stopped', () => {
    const setOf = (more: Partial<LedgerEntry>) => {
      const [write] = groupWrites([entry('j', 'end', more)], 0).executions
      return (write as unknown as { updateOne: { update: { $set: object } } }).updateOne.update.$set
    }
    expect(setOf({ finish: canceled })).to.deep.equal({ status: 'canceled', outputs: null, error: null })
    expect(setOf({ stoppedAt: AT })).to.deep.equal({ completed_at: AT })
  })

  it('adds up the ends of a batch, canceled ones as failed', () => {
    const { batches } = groupWrites(
      [
        entry('j1', 'end', { batchId: 'b', finish: completed }),
        entry('j2', 'end', { batchId: 'b', finish: failed }),
        entry('j3', 'end', { batchId: 'b', finish: canceled }),
        entry('j4', 'end', { batchId: 'c', finish: completed }),
        entry('j5', 'end', { finish: completed }),
        entry('j6', '0.m', { batchId: 'd', events: [draft()] }),
      ],
      0,
    )
    const sums = (batches as unknown as { updateOne: { filter: object; update: { $set: object }[] } }[]).map(
      ({ updateOne }) => [updateOne.filter, updateOne.update[0]?.$set],
    )
    const sum = (succeeded: number, lost: number) => ({
      succeeded: { $add: ['$succeeded', succeeded] },
      failed: { $add: ['$failed', lost] },
    })
    expect(sums).to.deep.equal([
      [{ _id: 'b' }, sum(1, 2)],
      [{ _id: 'c' }, sum(1, 0)],
    ])
  })
})

describe('counterUpdate', () => {
  const usage = { provider: 'p', model: 'm', prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, calls: 1 }
  const later = new Date(AT.getTime() + 5)
  const entries = [
    entry('j', '0.start', {
      events: [draft({ type: 'task_start', agent: 'a.b' }), draft({ type: 'task_start', agent: 'a.b', at: later })],
    }),
    entry('j', '0.m', { events: [draft({ type: 'llm_usage' })], usage }),
    entry('j', '0.c', { events: [draft(), draft({ type: 'cache_hit' })] }),
    entry('j', 'end', { events: [draft({ type: 'task_complete' })], finish: completed }),
    entry('k', 'end', { finish: failed }),
    entry('l', 'end', { finish: canceled }),
  ]

  it('counts what happened once', () => {
    const { $inc } = counterUpdate(entries, true)
    expect($inc).to.deep.equal({
      last_trace_id: 6,
      'agents.a%2Eb.trace_count': 2,
      'agents.a%2Eb.executions': 2,
      'agents.a.trace_count': 4,
      tool_calls: 1,
      cache_hits: 1,
      total_tokens: 3,
      completed_jobs: 1,
      latency_ms_total: 40,
      failed_jobs: 1,
    })
  })

  it('counts calls and runs, but no events, when events are not kept', () => {
    const { $inc } = counterUpdate(entries, false)
    expect($inc).to.include({ last_trace_id: 0, tool_calls: 1, cache_hits: 1, 'agents.a%2Eb.executions': 2 })
    expect(Object.keys($inc).some((field) => field.endsWith('trace_count'))).to.equal(false)
  })
})
