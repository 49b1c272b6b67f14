import { expect } from 'chai'
import type { SystemEvent } from '../../../client/index.ts'
import { eventsPerSecond, groupByExecution } from '../../../dashboard/pages/live/live-events.ts'

const NOW_MS = Date.parse('2026-01-01T00:01:00Z')
let id = 0

function event(secondsAgo: number, job_id = 'one', agent_name = 'writer', event_type = 'tool_call'): SystemEvent {
  const timestamp = new Date(NOW_MS - secondsAgo * 1_000).toISOString()
  return { id: ++id, job_id, agent_name, event_type, timestamp } as SystemEvent
}

describe('The rate of events', () => {
  it('is that of the last ten seconds', () => {
    const events = [event(50), event(11), ...Array.from({ length: 25 }, () => event(4))]
    expect(eventsPerSecond(events, NOW_MS)).to.equal(2.5)
    expect(eventsPerSecond([event(30), event(20)], NOW_MS)).to.equal(0)
    expect(eventsPerSecond([], NOW_MS)).to.equal(0)
  })

  it('is that of what is known, where that is less', () => {
    expect(eventsPerSecond([event(5), event(4), event(3), event(2), event(1)], NOW_MS)).to.equal(1)
    expect(eventsPerSecond([event(0), event(0)], NOW_MS), 'never over less than a second').to.equal(2)
  })
})

describe('Events by execution', () => {
  it('are told in the order in which executions were heard of first, so that none moves', () => {
    const last = event(1, 'one', 'editor')
    const events = [event(9, 'one'), event(8, 'two'), event(7, 'one', 'writer', 'error'), event(6, 'three'), last]
    const [one, two, three] = groupByExecution(events)
    expect(one).to.deep.equal({ jobId: 'one', agents: ['writer', 'editor'], count: 3, failures: 1, newest: last })
    expect([two?.jobId, three?.jobId]).to.deep.equal(['two', 'three'])
  })
})
