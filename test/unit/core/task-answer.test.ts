import { expect } from 'chai'
import { taskAnswer } from '../../../core/task-answer.ts'

describe('task answer', () => {
  it('carries the outputs of a task that succeeded', () => {
    expect(taskAnswer({ status: 'completed', error: null }, { answer: 42 })).to.deep.equal({
      status: 'success',
      response: { status: 'success', result: { answer: 42 }, error: null },
    })
  })

  it('carries the error of a task that failed', () => {
    expect(taskAnswer({ status: 'failed', error: 'broken' }, { error: 'broken' })).to.deep.equal({
      status: 'error',
      response: { status: 'error', result: { error: 'broken' }, error: 'broken' },
    })
  })

  it('has no result after a cancel', () => {
    expect(taskAnswer({ status: 'canceled', error: null }, null)).to.deep.equal({
      status: 'canceled',
      response: { status: 'canceled', result: null, error: null },
    })
  })
})
