import { expect } from 'chai'
import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { sendable, type JsonText } from '../../../../api/http/json-text.ts'
import { longTraceGroupView, traceGroupView } from '../../../../api/views/trace.ts'
import type { TraceDocument } from '../../../../store/documents.ts'

const trace = (_id: number, seconds: number, agent_name: string): TraceDocument => ({
  _id,
  job_id: 'j',
  agent_name,
  event_type: 'task_start',
  parent_id: null,
  timestamp: new Date(seconds * 1_000),
  payload: '{}',
})

async function read(view: JsonText): Promise<unknown> {
  const sent = await sendable(view)
  return JSON.parse(typeof sent === 'string' ? sent : await text(Readable.from(sent)))
}

describe('The events of a job', () => {
  // A clock may be set back, and who is first to be recorded need not be first to happen.
  const events = [trace(1, 20, 'a'), trace(2, 10, 'b'), trace(3, 40, 'a'), trace(4, 30, 'c')] as const
  const first = events[0]

  it('begin with the earliest and end with the latest of their times, in whatever order they were recorded', async () => {
    const group = (await read(traceGroupView('j', [...events]))) as { traces: { id: number }[] }
    expect(group).to.deep.include({
      job_id: 'j',
      trace_count: 4,
      agents: ['a', 'b', 'c'],
      start_time: '1970-01-01T00:00:10.000Z',
      end_time: '1970-01-01T00:00:40.000Z',
    })
    expect(group.traces.map(({ id }) => id)).to.deep.equal([1, 2, 3, 4])
  })

  it('say the same when they are too many to be held at once', async () => {
    const portions = Readable.from([events.slice(0, 3), events.slice(3)])
    expect(await read(longTraceGroupView('j', first, portions))).to.deep.equal(
      await read(traceGroupView('j', [...events])),
    )
  })
})
