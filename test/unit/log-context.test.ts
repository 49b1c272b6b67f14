import { expect } from 'chai'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { logFields, withLogFields, withoutLogFields } from '../../log-context.ts'

describe('withLogFields', () => {
  it('adds fields to log lines across awaits and in concurrent work', async () => {
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

  it('omits fields where they would be misleading', () => {
    expect(withLogFields({ requestId: 'r' }, () => withoutLogFields(logFields))).to.deep.equal({})
  })

  it('adds to the fields of the outer context', () => {
    const inner = withLogFields({ requestId: 'r' }, () => withLogFields({ job_id: 'j' }, logFields))
    expect(inner).to.deep.equal({ requestId: 'r', job_id: 'j' })
  })
})
