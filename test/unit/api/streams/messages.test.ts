import { expect } from 'chai'
import { tracesMessage } from '../../../../api/streams/messages.ts'
import type { TraceDocument } from '../../../../store/documents.ts'

describe('A message of trace events', () => {
  const orderOf = (jobs: string[]): string[] => {
    const traces = jobs.map((job_id, _id) => {
      const event = { event_type: 'error', agent_name: 'a', parent_id: null, payload: '{}', timestamp: new Date(0) }
      return { _id, job_id, ...event } as TraceDocument
    })
    const { data } = JSON.parse(tracesMessage(traces)) as {
      data: { spans: { id: number; metadata: { job_id: string } }[] }
    }
    return data.spans.map(({ id, metadata }) => `${metadata.job_id}${id}`)
  }

  it('groups the events of each job, in order', () => {
    expect(orderOf(['b', 'a', 'b', '__proto__', 'a'])).to.deep.equal(['b0', 'b2', 'a1', 'a4', '__proto__3'])
    expect(orderOf([])).to.deep.equal([])
  })
})
