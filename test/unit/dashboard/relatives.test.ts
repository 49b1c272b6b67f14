import { expect } from 'chai'
import { containerOf } from '../../../dashboard/pages/execution/container-of.ts'
import { modelCalls } from '../../../dashboard/pages/execution/model-calls.ts'
import { stoppedAfterMs } from '../../../dashboard/pages/execution/stopped-after.ts'
import { agentOf, gapBefore, relativesOf } from '../../../dashboard/waterfall/relatives.ts'
import { tableOf } from '../../build/trace-table.ts'

describe('The place of an event among others', () => {
  // Calls are written at their end: the long one that began first stands behind the short one beside it.
  const table = tableOf(
    { id: 1, type: 'task_start', startMs: 0 },
    { id: 2, parent: 1, type: 'llm_usage', startMs: 100, duration: 400, tokens: [5, 1] },
    { id: 3, parent: 1, startMs: 520, duration: 10 },
    { id: 4, parent: 1, startMs: 500, duration: 900 },
    { id: 5, parent: 1, type: 'llm_usage', startMs: 2_400, duration: 100, tokens: [50, 10] },
    { id: 6, parent: 1, type: 'task_complete', startMs: 2_500 },
    { id: 7, type: 'task_start', startMs: 4_000 },
    { id: 8, parent: 7, type: 'delegation', startMs: 4_000 },
    { id: 9, parent: 8, type: 'task_start', startMs: 4_000 },
  )
  const gap = (id: number): number | undefined => gapBefore(table, table.rowOf(id) as number)

  it('its gap is the time in which nothing of the same parent went on', () => {
    expect([2, 3, 4, 5, 6, 8].map(gap)).to.deep.equal([100, 0, 0, 1_000, 0, 0])
  })

  it('what comes first has none; what follows on top counts from the end of all that was below those before', () => {
    expect([1, 7].map(gap)).to.deep.equal([undefined, 1_500])
  })

  it('it has a parent, children of which the first are named, and an agent', () => {
    expect(relativesOf(table, 0, 2)).to.deep.equal({ parent: undefined, children: [1, 2], count: 5 })
    expect(relativesOf(table, 8, 2)).to.deep.equal({ parent: 7, children: [], count: 0 })
    expect([0, 4, 6, 7, 8].map((row) => agentOf(table, row))).to.deep.equal([0, 0, 6, 6, 8])
    expect(agentOf(tableOf({ id: 1, type: 'task_cancel_requested' }), 0)).to.equal(undefined)
  })

  it('model calls are listed as they came, or by what they used', () => {
    expect(modelCalls(table, 'time')).to.deep.equal([1, 4])
    expect(modelCalls(table, 'tokens')).to.deep.equal([4, 1])
  })
})

describe('The container of a worker', () => {
  const containers = [{ id: '0123456789abcdef' }, { id: 'fedcba9876543210' }]

  it('is the one whose host it runs on', () => {
    expect(containerOf('7@fedcba987654', containers)).to.equal(containers[1])
    for (const worker of ['7@laptop', '7@', 'fedcba', undefined, 7, '7@aaaaaaaaaaaa']) {
      expect(containerOf(worker, containers), String(worker)).to.equal(undefined)
    }
  })
})

describe('How long a canceled execution took to stop', () => {
  const at = (ms: number): string => new Date(ms).toISOString()
  const table = tableOf(
    { id: 1, type: 'task_start', startMs: 1_000 },
    { id: 2, type: 'task_cancel_requested', startMs: 3_000 },
  )
  const job = { status: 'canceled', started_at: at(1_000), completed_at: at(3_400) } as const

  it('is told from the request to its rest', () => {
    expect(stoppedAfterMs(job, table)).to.equal(400)
  })

  it('is not told where a moment is missing, nothing had begun, or the clocks disagree', () => {
    expect(stoppedAfterMs({ ...job, completed_at: null }, table)).to.equal(undefined)
    expect(stoppedAfterMs({ ...job, started_at: null }, table)).to.equal(undefined)
    expect(stoppedAfterMs({ ...job, completed_at: at(2_999) }, table)).to.equal(undefined)
    expect(stoppedAfterMs(job, tableOf({ id: 1, type: 'task_start' }))).to.equal(undefined)
    expect(stoppedAfterMs({ ...job, status: 'completed' }, table)).to.equal(undefined)
  })
})
