import { createHash } from 'node:crypto'
import { spendingFields, type TaskSpendingOptions } from '../budget.ts'
import type { Context } from '../context.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { followBatch } from '../follow-batch.ts'
import { submitTasks } from '../submit-tasks.ts'

const HASH_LENGTH = 8
/** Longest beginning of the first batch's id; the whole must stay within 128 characters. */
const NAME_LENGTH = 100

interface RetryOptions extends TaskSpendingOptions {
  wait: boolean
}

/**
 * `troupe batch retry ID`: the failed tasks again, in a batch whose id says which; the same command finds it again. It has the budgets of the
 * first one: what was bounded stays so.
 */
export async function batchRetry(context: Context, [id]: [string], options: RetryOptions): Promise<number> {
  const { troupe, terminal, signal } = context
  const batch = await troupe.batches.get(id, { results: false, inputs: false, ids: false }, { signal })
  const { status } = batch
  if (status !== 'completed' && status !== 'canceled') {
    throw new CommandError(EXIT.usage, `Batch ${id} is ${status}: wait for its end, then retry what failed.`)
  }
  const tasks: Record<string, unknown>[] = []
  const hash = createHash('sha256')
  for await (const { task_id, inputs } of troupe.batches.results(id, { status: 'error', signal })) {
    tasks.push(inputs)
    hash.update(task_id)
  }
  if (tasks.length === 0) {
    terminal.note(`No task of ${id} failed.`)
    if (terminal.options.json) terminal.document({ batch_id: null, submitted: 0, skipped: 0 })
    return EXIT.ok
  }
  const agent = await agentOf(context, id)
  const batchId = `${id.slice(0, NAME_LENGTH)}-retry-${hash.digest('hex').slice(0, HASH_LENGTH)}`
  terminal.note(batchId)
  const same = batch.budgets
  const { budget = same.budget, no_cache } = spendingFields(options)
  const body = { budget, task_budget: options.taskBudget ?? same.task_budget, no_cache }
  const result = await submitTasks(context, { agent, batchId, total: tasks.length, tasks, body })
  if (options.wait) return followBatch(context, batchId)
  if (terminal.options.json) terminal.document(result)
  else terminal.line(batchId)
  return EXIT.ok
}

/** The agent of the failed tasks. @throws CommandError when they have several */
async function agentOf({ troupe, signal }: Context, id: string): Promise<string> {
  const agents = new Set<string>()
  const failed = troupe.jobs.list({ batch_id: id, status: 'failed', limit: 1_000 }, { signal })
  for await (const { pipeline_name } of failed) agents.add(pipeline_name)
  const [agent = '', ...others] = agents
  if (others.length === 0) return agent
  const sentence = `What failed belongs to several agents (${[...agents].join(', ')}): save it with "troupe batch results ${id} --failed --inputs" and submit it to each.`
  throw new CommandError(EXIT.usage, sentence)
}
