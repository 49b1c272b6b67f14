import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { nameAlikeErrors } from '../../../client/index.ts'

describe('Similar errors', () => {
  it('form one group when many differ only in numbers and ids', () => {
    const errors = Array.from({ length: 20 }, (_, row) => `row ${row} of ${randomUUID()}: no number\n  at x`)
    expect(new Set(nameAlikeErrors(errors).values())).to.deep.equal(new Set(['row # of #: no number']))
  })

  it('form separate groups when few differ, because their numbers may be significant', () => {
    const names = nameAlikeErrors(['HTTP 404', 'HTTP 500', 'HTTP 404'])
    expect([...names.values()]).to.deep.equal(['HTTP 404', 'HTTP 500'])
  })

  it('have a name where none was given', () => {
    expect(nameAlikeErrors([null, '']).get(null)).to.equal('No error was given.')
  })
})
