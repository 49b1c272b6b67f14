import { expect } from 'chai'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { logFields, withLogFields, withoutLogFields } from '../../log-context.ts'

describe('withLogFields', () => {
  it('gives lines the fields of what they are logged for, through awaits and side by side', async () => {
    const lines = await Promise.all(
      ['a', 'b'].map((job) =>
        withLogFields({ job_id: job }, async () => {
          await nextTurn()
          return logFields()
        }),
      ),
    )
    expect(lines).to.deep.equal([{ job_id: 'a' }, { job_id: 'b' }])
    expect(logFields()).to.deep.equal({})
  })

  it('leaves them out where they would mislead', () => {
    expect(withLogFields({ requestId: 'r' }, () => withoutLogFields(logFields))).to.deep.equal({})
  })

  it('adds to the fields of the surroundings', () => {
    const inner = withLogFields({ requestId: 'r' }, () => withLogFields({ job_id: 'j' }, logFields))
    expect(inner).to.deep.equal({ requestId: 'r', job_id: 'j' })
  })
})
