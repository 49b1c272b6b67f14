import { expect } from 'chai'
import { alignedTable, cut, oneLine, tabSeparated, type Column } from '../../../cli/table.ts'

interface Row {
  name: string
  count: number
  text: string
}

const columns: Column<Row>[] = [
  { header: 'NAME', cell: ({ name }) => name },
  { header: 'COUNT', cell: ({ count }) => `${count} ×`, raw: ({ count }) => String(count), align: 'right' },
  { header: 'TEXT', cell: ({ text }) => text, flexible: true },
]
const rows: Row[] = [
  { name: 'a', count: 1, text: 'short' },
  { name: 'bcdef', count: 1_000, text: 'a text that is longer\tthan what\nfits' },
]

describe('Command line table', () => {
  it('aligns columns for people', () => {
    expect(alignedTable(rows.slice(0, 1), columns, 80)).to.deep.equal(['NAME  COUNT  TEXT', 'a       1 ×  short'])
  })

  it('truncates only flexible columns to the width of the terminal', () => {
    const lines = alignedTable(rows, columns, 34)
    expect(lines[2]).to.equal('bcdef  1000 ×  a text that is lon…')
    for (const line of lines) expect(line.length).to.be.at.most(34)
  })

  it('prints whole values on one line without a header for programs', () => {
    expect(tabSeparated(rows, columns)).to.deep.equal([
      'a\t1\tshort',
      'bcdef\t1000\ta text that is longer than what fits',
    ])
  })

  it('counts wide characters as the two columns that they take, and never splits one', () => {
    expect(cut('日本語テキスト', 8)).to.equal('日本語…')
    expect(cut('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3)).to.equal('👩‍👩‍👧‍👦…')
    const wide = alignedTable([{ name: '日本', count: 2, text: 'x' }, rows[0] as Row], columns, 80)
    expect(wide.slice(1)).to.deep.equal(['日本    2 ×  x', 'a       1 ×  short'])
  })

  it('removes control sequences from texts of agents', () => {
    expect(oneLine('a\u001b[31mred\u001b[0m\r\nb\u0007')).to.equal('a [31mred [0m b')
  })
})
