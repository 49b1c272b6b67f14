import { expect } from 'chai'
import { ColumnTypes, columnValue } from '../../../client/index.ts'

describe('The types of columns', () => {
  it('are what all cells look like; codes, long ids and columns with gaps are text', () => {
    const rows = [
      ['1', '007', 'true', '[1]', 'x', '1', '12345678901234567890'],
      [' -2.5 ', '12', 'False', '{}', '2', '', '1'],
    ]
    const types = new ColumnTypes(7)
    for (const row of rows) types.add(row)
    expect(types.types).to.deep.equal(['number', 'text', 'boolean', 'json', 'text', 'text', 'text'])
    expect(new ColumnTypes(1).types, 'without a row').to.deep.equal(['text'])
  })

  it('make values of cells, or none', () => {
    const cases: [string, 'text' | 'number' | 'boolean' | 'json', unknown][] = [
      [' 1 ', 'text', ' 1 '],
      [' 1.5 ', 'number', 1.5],
      ['1,5', 'number', undefined],
      ['Infinity', 'number', undefined],
      ['Yes', 'boolean', true],
      ['0', 'boolean', false],
      ['constructor', 'boolean', undefined],
      ['{"a":1}', 'json', { a: 1 }],
      ['{a}', 'json', undefined],
      ['', 'number', null],
      ['', 'text', ''],
    ]
    for (const [text, type, value] of cases) expect(columnValue(text, type), `${text} as ${type}`).to.deep.equal(value)
  })
})
