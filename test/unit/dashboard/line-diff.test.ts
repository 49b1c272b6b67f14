import { expect } from 'chai'
import { diffLines } from '../../../dashboard/pages/compare/line-diff.ts'

const told = (left: string[], right: string[]): string[] =>
  diffLines(left.join('\n'), right.join('\n')).map((line) =>
    line.side === 'left out' ? `… ${line.lines}` : `${line.side} ${line.text}`,
  )

describe('The difference of two texts', () => {
  it('is of lines: those of both, of one, of the other', () => {
    expect(told(['a', 'b', 'c'], ['a', 'x', 'c', 'd'])).to.deep.equal(['both a', 'A b', 'B x', 'both c', 'B d'])
  })

  it('leaves out equal lines that are more than three away from what differs', () => {
    const lines = Array.from({ length: 20 }, (_, line) => String(line))
    const changed = lines.with(10, 'ten')
    const beside = (from: number, to: number) => lines.slice(from, to).map((line) => `both ${line}`)
    expect(told(lines, changed)).to.deep.equal(['… 7', ...beside(7, 10), 'A 10', 'B ten', ...beside(11, 14), '… 6'])
  })

  it('of equal texts is nothing', () => {
    expect(told(['a', 'b'], ['a', 'b'])).to.deep.equal(['… 2'])
  })

  it('of very long texts is there at once', () => {
    const left = Array.from({ length: 5_000 }, (_, line) => `left ${line}`)
    const right = left.map((line, index) => (index % 2 === 0 ? line : `right ${index}`))
    expect(told(left, right).filter((line) => line.startsWith('B '))).to.have.length(2_500)
  })
})
