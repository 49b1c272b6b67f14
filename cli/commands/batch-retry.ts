import { createHash } from 'node:crypto'
import { spendingFields, type TaskSpendingOptions } from '../budget.ts'
import type { Context } from '../context.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { followBatch } from '../follow-batch.ts'
import { submitTasks } from '../submit-tasks.ts'

const HASH_LENGTH = 8
/** Maximum length of the original batch id in the new id, which may have up to 128 characters. */
const NAME_LENGTH = 100

interface RetryOptions extends TaskSpendingOptions {
  wait: boolean
}

/**
 * `troupe batch retry ID`: submits the failed tasks as a new batch. Its id is derived from these tasks, so repeating the command
 * finds the same batch. It keeps the budgets of the original batch.
 */
export async function batchRetry(context: Context, [id]: [string], options: RetryOptions): Promise<number> {
  const { troupe, terminal, signal } = context
  const batch = await troupe.batches.get(id, { results: false, inputs: false, ids: false }, { signal })
  const { status } = batch
  if (status !== 'completed' && status !== 'canceled') {
    throw new CommandError(EXIT.usage, `Batch ${id} is ${status}. Wait for its end, then retry.`)
  }
  const tasks: Record<string, unknown>[] = []
  const hash = createHash('sha256')
  for await (const { task_id, inputs } of troupe.batches.results(id, { status: 'error', signal })) {
    tasks.push(inputs)
    hash.update(task_id)
  }
  if (tasks.length === 0) {
    terminal.note(`No tasks of ${id} failed.`)
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

/** The agent of the failed tasks. @throws CommandError when they have different agents */
async function agentOf({ troupe, signal }: Context, id: string): Promise<string> {
  const agents = new Set<string>()
  const failed = troupe.jobs.list({ batch_id: id, status: 'failed', limit: 1_000 }, { signal })
  for await (const { pipeline_name } of failed) agents.add(pipeline_name)
  const [agent = '', ...others] = agents
  if (others.length === 0) return agent
  const sentence = `The failed tasks belong to several agents (${[...agents].join(', ')}). Save them with "troupe batch results ${id} --failed --inputs" and submit them for each agent.`
  throw new CommandError(EXIT.usage, sentence)
}
