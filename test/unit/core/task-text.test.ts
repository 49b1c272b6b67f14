import { expect } from 'chai'
import { taskText } from '../../../core/task-text.ts'

describe('taskText', () => {
  it('takes query, else message, else task', () => {
    expect(taskText({ task: 't', message: 'm', query: 'q' })).to.equal('q')
    expect(taskText({ task: 't', message: 'm' })).to.equal('m')
    expect(taskText({ task: 't', other: 1 })).to.equal('t')
    expect(taskText({ query: '', message: 7, task: 't' })).to.equal('t')
  })

  it('takes the inputs as JSON where none of them is a text', () => {
    expect(taskText({ query: { a: 1 } })).to.equal('{"query":{"a":1}}')
    expect(taskText({})).to.equal('{}')
    expect(taskText('bare')).to.equal('"bare"')
    expect(taskText(null)).to.equal('null')
    expect(taskText(undefined)).to.equal('null')
  })
})
