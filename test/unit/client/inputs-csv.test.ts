import { expect } from 'chai'
import { inputsCsv } from '../../../client/index.ts'

describe('The inputs of tasks as CSV', () => {
  it('have a column for each field of any of them', () => {
    const lines = inputsCsv([
      { id: 1, text: 'a, "b"\nc' },
      { id: 2, more: { deep: [true] } },
    ])
    expect(lines).to.deep.equal(['id,text,more', '1,"a, ""b""\nc",', '2,,"{""deep"":[true]}"'])
  })

  it('are empty where a task lacks a field, also one that is called like what every object has', () => {
    expect(inputsCsv([{ constructor: 'me' }, { id: 2 }])).to.deep.equal(['constructor,id', 'me,', ',2'])
  })
})
