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
})
