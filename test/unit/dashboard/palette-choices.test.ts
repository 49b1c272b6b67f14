import { expect } from 'chai'
import { matchingChoices } from '../../../dashboard/shell/palette-choices.ts'

describe('The choices of the palette', () => {
  const choices = ['Batches', 'New batch from a file', 'Executions', 'sentiment'].map((label, index) => ({
    label,
    kind: index === 3 ? 'agent' : 'page',
    run: () => undefined,
  }))
  const labels = (text: string): string[] => matchingChoices(choices, text).map(({ label }) => label)

  it('are those that hold every word, in any case, those that begin with it first', () => {
    expect(labels('batch')).to.deep.equal(['Batches', 'New batch from a file'])
    expect(labels('FILE new')).to.deep.equal(['New batch from a file'])
    expect(labels('agent')).to.deep.equal(['sentiment'])
    expect(labels('nothing')).to.deep.equal([])
    expect(labels('')).to.have.length(4)
  })
})
