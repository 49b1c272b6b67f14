import { expect } from 'chai'
import type { EventDraft, LedgerEntry } from '../../../store/ledger/entry.ts'
import { spending } from '../../support/spending.ts'
import { counterUpdate, entryCounts, groupWrites, lastIds, traceDocuments } from '../../../store/ledger/writes.ts'

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
    expect(documents.map(({ last = false }) => last)).to.deep.equal([false, false, true, true])
    expect(documents[1]).to.have.property('batch_id', 'b')
    expect(documents[3]).not.to.have.property('batch_id')
    expect(documents[3]).to.include({ payload: '{"x":1}', agent_name: 'a', event_type: 'tool_call', timestamp: AT })
  })
})

describe('A parent that is the root of its execution', () => {
  const cancel = (job: string) =>
    entry(job, 'end', { events: [draft({ type: 'task_cancel_requested', parent: 'root' })] })
  const parents = (entries: LedgerEntry[], recorded?: Map<string, number>) =>
    traceDocuments(entries, 10, recorded).map(({ parent_id }) => parent_id)

  it('is the start recorded before, or a later one of the same group', () => {
    const start = entry('j1', '0', { events: [draft({ type: 'task_start', parent: null })] })
    expect(parents([cancel('j1'), start, cancel('j1')], new Map([['j1', 4]]))).to.deep.equal([4, null, 12])
  })

  it('is neither the start of a called agent nor that of another execution', () => {
    const called = entry('j1', '0', { events: [draft({ type: 'task_start', parent: 5 })] })
    const other = entry('j2', '0', { events: [draft({ type: 'task_start', parent: null })] })
    expect(parents([called, other, cancel('j1')])).to.deep.equal([5, null, null])
  })
})

describe('lastIds', () => {
  it('gives the id of the last event of each entry', () => {
    const two = { events: [draft(), draft()] }
    expect(lastIds([entry('j', 'a', two), entry('j', 'b'), entry('j', 'c', two)], 0)).to.deep.equal([2, undefined, 4])
  })
})

describe('groupWrites', () => {
  it('records every step with the id of its last event, its result and its attempt', () => {
    const writer = { path: '0', attempt: 'a1' }
    const { steps } = groupWrites(
      [entry('j', '0.m', { events: [draft()], result: { json: '1' }, writer }), entry('j', 'mark')],
      4,
    )
    expect(steps.map(({ at: _at, ...step }) => step)).to.deep.equal([
      { _id: 'j|0.m', job_id: 'j', result: { json: '1' }, trace_id: 5, attempt: 'a1' },
      { _id: 'j|mark', job_id: 'j', result: null, trace_id: undefined, attempt: undefined },
    ])
  })

  it('records no step for an entry without a path', () => {
    const { path: _path, ...mark } = entry('j', '', { events: [draft()] })
    expect(groupWrites([mark], 0).steps).to.deep.equal([])
  })

  describe('of an attempt', () => {
    const writer = { path: '0', attempt: 'a2' }
    const take = { from: null, take: { n: 1, worker: 'w', lost: 0, records: 0 } }
    const write = (...entries: LedgerEntry[]) =>
      groupWrites(entries, 0).executions.map((each) => {
        const { filter, update } = (each as unknown as { updateOne: { filter: object; update: { $set: object } } })
          .updateOne
        return [filter, update.$set]
      })

    it('rest on the take, also where they change nothing else', () => {
      expect(write(entry('j', '0.m', { writer }))).to.deep.equal([
        [{ _id: 'j', 'takes.0.attempt': 'a2', completed_at: null }, { 'takes.0.attempt': 'a2' }],
      ])
    })

    it('begin a run that nobody had taken, with its start', () => {
      const start = entry('j', '', { writer, take, startedAt: AT, events: [draft({ type: 'task_start' })] })
      expect(write(start, entry('j', 'end', { writer, finish: completed }))).to.deep.equal([
        [
          { _id: 'j', 'takes.0': { $exists: false }, status: 'running' },
          {
            'takes.0': { ...take.take, attempt: 'a2', started_at: AT, started_by: 'a2', start: 1 },
            ...{ status: 'completed', outputs: { json: '{}' }, error: null, completed_at: AT },
          },
        ],
      ])
    })

    it('take a run over from the attempt that was seen, and keep its start', () => {
      const over = { from: 'a1', take: { n: 2, worker: 'w', lost: 1, records: 4 } }
      expect(
        write(entry('j', '', { writer, take: over }), entry('j', '0.m', { writer, releases: true })),
      ).to.deep.equal([
        [
          { _id: 'j', 'takes.0.attempt': 'a1', status: 'running' },
          {
            ...{ 'takes.0.n': 2, 'takes.0.lost': 1, 'takes.0.records': 4, 'takes.0.attempt': 'a2' },
            'takes.0.worker': null,
          },
        ],
      ])
    })

    it('stay apart from those of others in the same group', () => {
      const cancel = entry('j', 'end', { finish: canceled, completedAtIfNotStarted: AT })
      const filters = write(entry('j', '0.m', { writer }), cancel).map(([filter]) => filter)
      expect(filters).to.deep.equal([
        { _id: 'j', 'takes.0.attempt': 'a2', completed_at: null },
        { _id: 'j' },
        { _id: 'j' },
      ])
    })
  })

  it('adds up what one execution did in one update', () => {
    const usage = spending({ model: 'm.1' })
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
    expect(updateOne.update.$inc).to.include({
      'usage.p%2Fm%2E1.prompt_tokens': 2,
      'usage.p%2Fm%2E1.input': 2,
      'usage.p%2Fm%2E1.output': 4,
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
    const end = { status: 'canceled', outputs: null, error: null }
    expect(setOf({ finish: canceled })).to.deep.equal({ ...end, trouble: 'canceled' })
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

describe('entryCounts', () => {
  it('counts how executions ended, and the runs of agents within them', () => {
    const ended = (agent: string, status: EventDraft['ended']) =>
      draft({ type: 'task_complete', agent, ...(status && { ended: status }) })
    const { $inc } = entryCounts([
      entry('j', '0.0.0>end', { events: [ended('a.b', 'failed')] }),
      entry('j', 'end', { events: [draft(), ended('a', 'completed')], finish: failed }),
      entry('k', 'stopped', { events: [ended('a', 'canceled'), ended('a', 'canceled')] }),
    ])
    expect($inc).to.deep.equal({
      'agents.a%2Eb.failed': 1,
      'agents.a.completed': 1,
      'agents.a.canceled': 2,
      failed: 1,
    })
  })
})

describe('counterUpdate', () => {
  const usage = spending()
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
