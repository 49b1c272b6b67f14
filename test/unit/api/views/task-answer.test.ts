import { expect } from 'chai'
import { taskAnswerText, taskAnswerView } from '../../../../api/views/task-answer.ts'
import type { Content } from '../../../../store/documents.ts'

describe('An ended task’s answer', () => {
  const pointer = { bucket: 'b', key: 'k', size_bytes: 1 }
  const both = (outputs: Content) => {
    const task = { _id: 't', status: 'completed', outputs, error: null } as const
    return [taskAnswerView(task), JSON.parse(taskAnswerText(task))]
  }

  it('is a pointer where its outputs are stored elsewhere', () => {
    const answer = { status: 'success', response: { offloaded: true, pointer } }
    expect(both({ pointer })).to.deep.equal([answer, answer])
  })

  it('carries outputs that only look like one', () => {
    const result = { offloaded: true, pointer }
    const answer = { status: 'success', response: { status: 'success', result, error: null } }
    expect(both({ json: JSON.stringify(result) })).to.deep.equal([answer, answer])
  })
})
