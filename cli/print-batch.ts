import { budgetText, costText, type Schema } from '../client/index.ts'
import { sentence } from './follow-batch.ts'
import type { Terminal } from './terminal.ts'

/** Prints the progress of a batch, without its tasks. */
export function printBatch(
  { inputs: _inputs, job_ids: _jobs, task_ids: _tasks, ...batch }: Schema<'Batch'>,
  terminal: Terminal,
): void {
  const { outputs, cost, budget, ...rest } = batch
  const { summary } = outputs
  if (terminal.options.json) return terminal.document({ ...rest, summary, cost, budget })
  const rows = {
    ...rest,
    summary: sentence(summary),
    cost: costText(cost),
    ...(budget != null && { budget: budgetText(budget) }),
  }
  const known = Object.entries(rows).filter(([, value]) => value != null)
  terminal.record(known.map(([name, value]) => [name, String(value)]))
}
