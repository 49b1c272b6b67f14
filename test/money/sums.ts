import { expect } from 'chai'
import type { Amounts } from '../../core/budget.ts'
import { toNanoUsd, type Buckets, type StoredSpending } from '../../core/cost.ts'
import { budgetsOf, type BudgetDocument } from '../../store/spending/budgets.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import { eventually, type TestService } from '../support/service.ts'

interface Used {
  tokens: number
  nano_usd: number
  calls: number
  /** By how much calls used more tokens than had been reserved for them. */
  estimateError: number
}

/**
 * What the events of a job say that was used.
 * @param only - of events whose usage is known in this way.
 */
export async function usedByEvents(
  { store }: Pick<TestService, 'store'>,
  job_id: string,
  only?: 'measured' | 'estimated',
): Promise<Used> {
  const events = await store.traces.find({ job_id, event_type: 'llm_usage' }).toArray()
  const all = events.map(({ payload }) => JSON.parse(payload))
  const payloads = all.filter(({ usage }) => only === undefined || usage === only)
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

/** Events, usage, cost and the job's budget agree, and nothing of the budget is left reserved. */
export async function expectSumsAgree(service: Pick<TestService, 'store'>, job: string): Promise<Used> {
  const used = await usedByEvents(service, job)
  const execution = await service.store.executions.findOne({ _id: job })
  expect(sumsOf(execution?.usage), `${job}: usage and cost`).to.deep.equal({
    ...{ tokens: used.tokens, parts: used.tokens, nano_usd: used.nano_usd },
  })
  // One that was canceled before it began has none.
  const isUntouched = used.calls === 0 && execution?.status === 'canceled'
  const hasBudget = !isUntouched || (await budgetsOf(service.store).findOne({ _id: `${job}|` })) !== null
  if (hasBudget) await expectSpent(service, `${job}|`, used)
  return used
}

/** The same for a batch and its tasks. */
export async function expectBatchSumsAgree(service: Pick<TestService, 'store'>, batch: string): Promise<void> {
  const tasks = await service.store.executions.find({ batch_id: batch }, { projection: { _id: 1 } }).toArray()
  const used = { tokens: 0, nano_usd: 0 }
  for (const { _id } of tasks) {
    const { tokens, nano_usd } = await usedByEvents(service, _id)
    used.tokens += tokens
    used.nano_usd += nano_usd
  }
  const { tokens, nano_usd } = sumsOf((await service.store.batches.findOne({ _id: batch }))?.usage)
  expect({ tokens, nano_usd }, `${batch}: usage and cost`).to.deep.equal(used)
  await expectSpent(service, `batch|${batch}`, used)
}

/** What is spent of a budget is what was used, and the rest is left. */
async function expectSpent(
  service: Pick<TestService, 'store'>,
  budget: string,
  { tokens, nano_usd }: Pick<Used, 'tokens' | 'nano_usd'>,
): Promise<void> {
  // An attempt that was overtaken by the end gives back what it had reserved when it hears of that.
  const { spent, left, limits } = await eventually(
    () => budgetOf(service, budget),
    ({ reserved }) => Object.keys(reserved).length === 0,
  )
  expect(spent, budget).to.include({ tokens, nano_usd })
  const unspent = Object.entries(limits).map(([each, limit]) => [each, limit - spent[each as keyof Amounts]])
  expect(left, `${budget}: left`).to.deep.equal(Object.fromEntries(unspent))
}

function sumsOf(usage: ExecutionDocument['usage'] = {}) {
  const measured = Object.values(usage).filter(({ provider }) => provider !== 'scripted')
  const sum = (...fields: (keyof StoredSpending & ('total_tokens' | 'nano_usd' | keyof Buckets))[]) =>
    measured.reduce((total, each) => total + fields.reduce((part, field) => part + (each[field] ?? 0), 0), 0)
  const parts = sum('input', 'cached', 'cache_write', 'output', 'reasoning')
  return { tokens: sum('total_tokens'), parts, nano_usd: sum('nano_usd') }
}
