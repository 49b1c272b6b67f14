import { expect } from 'chai'
import { byJob } from '../../../../api/streams/by-job.ts'

describe('byJob', () => {
  it('puts the events of a job beside each other, keeping their order', () => {
    const events = ['b1', 'a2', 'b3', '__proto__4', 'a5'].map((name) => ({ name, job_id: name.slice(0, -1) }))
    expect(byJob(events).map(({ name }) => name)).to.deep.equal(['b1', 'b3', 'a2', 'a5', '__proto__4'])
    expect(byJob([])).to.deep.equal([])
  })
})
