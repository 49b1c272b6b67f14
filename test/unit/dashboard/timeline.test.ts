import { expect } from 'chai'
import { align } from '../../../dashboard/pages/compare/align.ts'
import { awaitedCalls } from '../../../dashboard/waterfall/awaited-calls.ts'
import { hasRepeats, p95Of, repeatsOf } from '../../../dashboard/waterfall/repeats.ts'
import type { TraceTable } from '../../../dashboard/waterfall/trace-table.ts'
import { visibleRows, type RowFilter } from '../../../dashboard/waterfall/visible-rows.ts'
import { tableOf, type GivenEvent as Given } from '../../build/trace-table.ts'

const ALL: RowFilter = { collapsed: new Set(), text: '', errorsOnly: false }

const shown = (table: TraceTable, filter: Partial<RowFilter> = {}): (number | undefined)[] =>
  [...visibleRows(table, { ...ALL, ...filter })].map((row) => table.id[row])

describe('The filter of events', () => {
  const table = tableOf(
    { id: 1, type: 'task_start', name: 'root' },
    { id: 2, parent: 1, type: 'llm_usage', name: 'gpt', duration: 900 },
    { id: 3, parent: 1, name: 'web search', duration: 2_500 },
    { id: 4, parent: 3, type: 'error', name: 'slower:x', failed: true },
    { id: 5, parent: 1, type: 'budget_warning', name: 'budget' },
  )

  it('takes types in and out by their words or names, lengths, and text, and shows what leads there', () => {
    expect(shown(table, { text: 'type:tool' })).to.deep.equal([1, 3])
    expect(shown(table, { text: 'type:model,error' })).to.deep.equal([1, 2, 3, 4])
    expect(shown(table, { text: '-type:llm_usage -type:tool' })).to.deep.equal([1, 3, 4, 5])
    expect(shown(table, { text: 'slower:1s type:tool' })).to.deep.equal([1, 3])
    expect(shown(table, { text: 'slower:0.5s SEARCH' })).to.deep.equal([1, 3])
    expect(shown(table, { text: 'Web  Search' })).to.deep.equal([1, 3])
    expect(shown(table, { text: 'slower:3s -type:agent' })).to.deep.equal([])
  })

  it('takes a word that is none of its own for text', () => {
    expect(shown(table, { text: 'slower:x' })).to.deep.equal([1, 3, 4])
    expect(shown(table, { text: 'type:' })).to.deep.equal([])
    expect(shown(table, { text: ' ' })).to.have.length(5)
  })
})

describe('Repeats of a timeline', () => {
  const calls = (from: number, count: number): Given[] =>
    Array.from({ length: count }, (_, index) => ({ id: from + index, parent: 1, name: 'search', duration: index + 1 }))
  const table = tableOf(
    { id: 1, type: 'task_start', name: 'root' },
    ...calls(2, 4),
    { id: 6, parent: 1, name: 'other' },
    ...calls(7, 20),
    { id: 27, parent: 1, name: 'search', failed: true },
    { id: 28, parent: 1, type: 'task_complete' },
    { id: 29, parent: 10, name: 'deep', failed: true },
  )
  const repeats = repeatsOf(table)
  /** Ids; that of what heads a repeat is negative. */
  const folded = (open: number[] = [], filter: Partial<RowFilter> = {}): number[] =>
    [...visibleRows(table, { ...ALL, folded: { repeats, open: new Set(open) }, ...filter })].map((row) =>
      row < 0 ? -(table.id[~row] as number) : (table.id[row] as number),
    )

  it('are equal siblings that follow each other, five at least', () => {
    const found = [...repeats.byFirst].map(([row, repeat]) => ({ id: table.id[row], ...repeat }))
    expect(found).to.deep.equal([{ id: 7, count: 21, failed: 2, end: 45 }])
    expect(hasRepeats(table)).to.equal(true)
    expect(hasRepeats(tableOf(...calls(2, 4), { id: 6, parent: 1, name: 'other' }, ...calls(7, 4)))).to.equal(false)
  })

  it('fold into one row, but for what failed, also below them', () => {
    expect(folded()).to.deep.equal([1, 2, 3, 4, 5, 6, -7, 10, 29, 27, 28])
    expect(folded([], { collapsed: new Set([0]) })).to.deep.equal([1])
  })

  it('are all there when they are opened, or filtered', () => {
    const all = Array.from({ length: 20 }, (_, index) => index + 7).flatMap((id) => (id === 10 ? [10, 29] : [id]))
    expect(folded([6])).to.deep.equal([1, 2, 3, 4, 5, 6, -7, ...all, 27, 28])
    expect(folded([], { text: 'other' })).to.deep.equal([1, 6])
  })

  it('tell how long one took, of 95 in a hundred', () => {
    expect(p95Of(table, 6, 20)).to.equal(19)
    expect(p95Of(table, 6, 1)).to.equal(1)
  })
})

describe('What an execution waits for', () => {
  it('is what the model asked for and what has not ended', () => {
    const table = tableOf(
      { id: 1, type: 'task_start', name: 'root' },
      { id: 2, parent: 1, type: 'llm_usage', name: 'model' },
      { id: 3, parent: 1, name: 'look' },
      { id: 4, parent: 1, type: 'delegation', name: 'helper' },
    )
    const calls = ['look', 'look', 'look', 'helper', 'wait'].map((name) => ({ name }))
    expect(awaitedCalls(table, 1, { response: { calls } })).to.deep.equal(['look × 2', 'wait'])
    expect(awaitedCalls(table, 1, {})).to.deep.equal([])
  })
})

describe('The rows of a timeline', () => {
  const table = tableOf(
    { id: 1, type: 'task_start', name: 'root' },
    { id: 2, parent: 1, name: 'search' },
    { id: 3, parent: 1, type: 'delegation' },
    { id: 4, type: 'task_start', name: 'second' },
    { id: 5, parent: 3, name: 'deep', failed: true, startMs: 50, duration: 30 },
    { id: 6, parent: 1, type: 'task_complete' },
  )

  it('are in the order of the tree, whatever the order in which events came', () => {
    expect(shown(table)).to.deep.equal([1, 2, 3, 5, 6, 4])
  })

  it('leave out what is below a closed branch', () => {
    expect(shown(table, { collapsed: new Set([0]) })).to.deep.equal([1, 4])
  })

  it('show what matches with what leads to it, closed or not', () => {
    expect(shown(table, { text: 'DEEP', collapsed: new Set([0]) })).to.deep.equal([1, 3, 5])
    expect(shown(table, { errorsOnly: true })).to.deep.equal([1, 3, 5])
    expect(shown(table, { text: 'nothing' })).to.deep.equal([])
  })

  it('span their descendants, and an agent is open until its end is told', () => {
    expect(table.end[0]).to.equal(table.start[0]! + 79)
    expect(table.failures[0]).to.equal(1)
    expect([table.closed[0], table.closed[3]]).to.deep.equal([true, false])
  })

  it('take each event once', () => {
    const twice = tableOf({ id: 1 }, { id: 2 }, { id: 2 }, { id: 1 })
    expect(shown(twice)).to.deep.equal([1, 2])
  })

  it('stand beside those of another trace where type and name are the same', () => {
    const left = tableOf({ id: 1, name: 'a' }, { id: 2, name: 'b' }, { id: 3, name: 'c' })
    const right = tableOf({ id: 7, name: 'a' }, { id: 8, name: 'c' }, { id: 9, name: 'd' })
    expect(align(left, right).map(({ left: one, right: other }) => [one, other])).to.deep.equal([
      [0, 0],
      [1, undefined],
      [2, 1],
      [undefined, 2],
    ])
  })
})
