import { expect } from 'chai'
import { criticalPath } from '../../../dashboard/waterfall/critical-path.ts'
import { idleGaps } from '../../../dashboard/waterfall/idle-gaps.ts'
import { markText, stepOf, timeAxis } from '../../../dashboard/waterfall/time-axis.ts'
import { TraceTable } from '../../../dashboard/waterfall/trace-table.ts'

type Event = [id: number, parent: number, type: string, startMs: number, duration: number]

function tableOf(...events: Event[]): TraceTable {
  const table = new TraceTable()
  const rest = { name: 'x', agent: 'x', failed: false, prompt_tokens: 0, completion_tokens: 0 }
  for (const [id, parent, type, startMs, duration] of events)
    table.add({ ...rest, id, parent, type, startMs: 1_000_000 + startMs, duration })
  return table
}

describe('The time axis of a timeline', () => {
  const waits = tableOf(
    [1, 0, 'task_start', 0, -1],
    [2, 1, 'llm_usage', 0, 1_000],
    [3, 1, 'tool_call', 9_000, 500],
    [4, 1, 'task_complete', 9_500, 9_500],
  )

  it('has marks that are round in their unit: milliseconds, seconds, minutes, hours, days', () => {
    const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
    const spans = [5, 40, 13 * second, 4 * minute, 50 * minute, 9 * hour, 26 * hour, 9 * day, 40 * day]
    const steps = [1, 10, 5 * second, minute, 10 * minute, 2 * hour, 6 * hour, 2 * day, 10 * day]
    expect(spans.map(stepOf)).to.deep.equal(steps)
    const texts = ['0', '10 ms', '5.00 s', '10 min', '10 min 30 s', '2 h', '6 h 30 min', '10 d']
    const marks = [0, 10, 5 * second, 10 * minute, 10.5 * minute, 2 * hour, 6.5 * hour, 10 * day]
    expect(marks.map(markText)).to.deep.equal(texts)
  })

  it('finds where nothing was at work, whatever an agent spans', () => {
    const [gap, ...others] = idleGaps(waits, waits.endMs)
    expect(others).to.deep.equal([])
    expect(gap?.from).to.be.closeTo(1_000, 10)
    expect(gap?.to).to.be.closeTo(9_000, 10)
  })

  it('finds none where work fills the time, or where the waits are too short to be felt', () => {
    const works = tableOf([1, 0, 'task_start', 0, -1], [2, 1, 'tool_call', 100, 9_000])
    expect(idleGaps(works, 9_500)).to.deep.equal([])
    const quick = tableOf([1, 0, 'task_start', 0, -1], [2, 1, 'tool_call', 100, 1])
    expect(idleGaps(quick, 110)).to.deep.equal([])
    expect(idleGaps(new TraceTable(), 0)).to.deep.equal([])
  })

  it('counts the wait of what still runs', () => {
    expect(idleGaps(waits, 60_000).at(-1)?.to).to.be.closeTo(60_000, 60)
  })

  it('shows gaps short, and leads back from every place to its moment', () => {
    const axis = timeAxis(10_000, [{ from: 1_000, to: 9_000 }])
    expect(axis.length).to.be.below(2_500)
    expect(axis.gaps).to.have.length(1)
    expect(axis.gaps[0]?.ms).to.equal(8_000)
    let before = -1
    for (let ms = 0; ms <= 10_000; ms += 250) {
      const place = axis.at(ms)
      expect(place).to.be.above(before)
      expect(axis.timeAt(place)).to.be.closeTo(ms, 1e-6)
      before = place
    }
    expect(axis.at(9_500) - axis.at(9_000)).to.be.closeTo(500, 1e-6)
  })

  it('is the time itself where nothing is shown short', () => {
    const axis = timeAxis(500, [])
    expect([axis.length, axis.at(123), axis.timeAt(123)]).to.deep.equal([500, 123, 123])
  })
})

describe('The critical path', () => {
  const idsOn = (table: TraceTable, endMs = table.endMs) =>
    [...criticalPath(table, endMs)].map((row) => table.id[row]).sort((one, other) => Number(one) - Number(other))

  it('is what ended last, from the end backwards, through every branch', () => {
    const table = tableOf(
      [1, 0, 'task_start', 0, -1],
      [2, 1, 'tool_call', 0, 100],
      [3, 1, 'tool_call', 0, 300],
      [4, 1, 'delegation', 300, -1],
      [5, 4, 'task_start', 310, -1],
      [6, 5, 'llm_usage', 320, 200],
      [7, 5, 'tool_call', 330, 50],
      [8, 5, 'task_complete', 520, 200],
      [9, 1, 'task_complete', 530, 530],
    )
    expect(idsOn(table)).to.deep.equal([1, 3, 4, 5, 6])
  })

  it('goes through the agents of a chain, and ends now where one runs', () => {
    const table = tableOf([1, 0, 'task_start', 0, -1], [2, 1, 'task_complete', 90, 90], [3, 0, 'task_start', 100, -1])
    expect(idsOn(table, 5_000)).to.deep.equal([1, 3])
  })

  it('is found among 100,000 events in well under a second', () => {
    const events = Array.from({ length: 100_000 }, (_, index): Event => [index + 2, 1, 'tool_call', index, 1])
    const begun = performance.now()
    expect(criticalPath(tableOf([1, 0, 'task_start', 0, -1], ...events), 100_001).size).to.equal(100_001)
    expect(performance.now() - begun).to.be.below(10_000)
  })
})
