import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { readOutline } from '../../api/reads/trace-outline.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import { dropOwnStore, openOwnStore } from '../support/own-store.ts'

const ROUNDS = 300

describe('The outline of a trace', function () {
  this.timeout(60_000)
  let store: Store

  before(async () => {
    store = await openOwnStore()
  })
  after(() => dropOwnStore(store))

  it('counts from its first event, also when that comes while it is read', async () => {
    const job_id = randomUUID()
    const timestamp = new Date()
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = `${job_id}-${round}`
      const event = { agent_name: 'a', event_type: 'task_start', parent_id: null, payload: '{}', timestamp } as const
      const reading = readOutline(store, { job_id: id, after: 0, limit: 10 })
      await Promise.all([reading, store.traces.insertOne({ _id: round + 1, job_id: id, ...event })])
      const { count, start_time, columns } = await reading
      expect(start_time).to.equal(count === 0 ? null : timestamp.toISOString())
      expect(columns.start).to.deep.equal(count === 0 ? [] : [0])
    }
    const later = await readOutline(store, { job_id: `${job_id}-0`, after: 1, limit: 10 })
    expect(later).to.deep.include({ count: 0, start_time: timestamp.toISOString() })
  })
})
