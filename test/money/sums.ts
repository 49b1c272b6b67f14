import { expect } from 'chai'
import { toNanoUsd } from '../../core/cost.ts'
import { budgetsOf, type BudgetDocument } from '../../store/budgets.ts'
import type { TestService } from '../support/service.ts'

interface Used {
  tokens: number
  nano_usd: number
  calls: number
  /** By how much calls used more tokens than had been reserved for them. */
  estimateError: number
}

/** What the events of a job say that was used. */
export async function usedByEvents({ store }: Pick<TestService, 'store'>, job_id: string): Promise<Used> {
  const events = await store.traces.find({ job_id, event_type: 'llm_usage' }).toArray()
  const payloads = events.map(({ payload }) => JSON.parse(payload))
  const sum = (of: (payload: (typeof payloads)[number]) => number) =>
    payloads.reduce((total: number, payload) => total + of(payload), 0)
  return {
    tokens: sum(({ total_tokens }) => total_tokens),
    nano_usd: sum(({ cost_usd }) => toNanoUsd(cost_usd ?? 0)),
    calls: payloads.length,
    estimateError: sum(({ total_tokens, reserved }) => Math.max(0, total_tokens - (reserved?.tokens ?? Infinity))),
  }
}

export async function budgetOf({ store }: Pick<TestService, 'store'>, _id: string): Promise<BudgetDocument> {
  const found = await budgetsOf(store).findOne({ _id })
  if (found === null) throw new Error(`There is no budget ${_id}`)
  return found
}

/**
 * Events, usage, cost and the job's budget agree, and nothing of the budget is left reserved.
 * @param mayHold - of a run that was canceled when its worker was dead: nobody takes it up again.
 */
export async function expectSumsAgree(
  service: Pick<TestService, 'store'>,
  job: string,
  mayHold = false,
): Promise<Used> {
  const used = await usedByEvents(service, job)
  const execution = await service.store.executions.findOne({ _id: job })
  const usage = Object.values(execution?.usage ?? {}).filter(({ provider }) => provider !== 'scripted')
  const sum = (field: 'total_tokens' | 'nano_usd' | 'input' | 'cached' | 'cache_write' | 'output' | 'reasoning') =>
    usage.reduce((total, each) => total + (each[field] ?? 0), 0)
  const budget = await budgetsOf(service.store).findOne({ _id: `${job}|` })
  // Canceled before it began.
  if (budget === null && mayHold && used.calls === 0) return used
  const { spent, left, limits, reserved } = budget ?? (await budgetOf(service, `${job}|`))
  expect(sum('total_tokens'), `${job}: usage`).to.equal(used.tokens)
  expect(sum('input') + sum('cached') + sum('cache_write') + sum('output') + sum('reasoning')).to.equal(used.tokens)
  expect(sum('nano_usd'), `${job}: cost`).to.equal(used.nano_usd)
  expect(spent.tokens, `${job}: spent tokens`).to.equal(used.tokens)
  expect(spent.nano_usd, `${job}: spent money`).to.equal(used.nano_usd)
  if (!mayHold) expect(reserved, `${job}: reserved`).to.deep.equal({})
  for (const each of ['tokens', 'nano_usd'] as const) {
    const held = Object.values(reserved).reduce((total, hold) => total + hold[each], 0)
    if (limits[each] !== undefined) expect(left[each], `${job}: left`).to.equal(limits[each] - spent[each] - held)
  }
  return used
}
