import { basename, extname } from 'node:path'
import { spendingFields, type TaskSpendingOptions } from '../budget.ts'
import { checkFile, hashOfTasks } from '../check-file.ts'
import { parseColumnRule } from '../column-map.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { followBatch } from '../follow-batch.ts'
import { interruptedError } from '../interrupt.ts'
import { submitTasks } from '../submit-tasks.ts'
import { formatOf, readTasks, type TaskFile } from '../task-file.ts'

interface SubmitOptions extends TaskSpendingOptions {
  agent: string
  map?: string[]
  id?: string
  chunk: number
  format?: TaskFile['format']
  delimiter?: string
  wait: boolean
  dryRun?: boolean
}

const NAME_LENGTH = 60

/**
 * `troupe batch submit FILE`: submits one task per row. The batch id is derived from the name and content of the file, so that
 * repeating the command finds the batch and continues it.
 */
export async function batchSubmit(context: Context, [path]: [string], options: SubmitOptions): Promise<number> {
  const { terminal, signal } = context
  const format = options.format ?? formatOf(path)
  const file: TaskFile = { path, format, delimiter: options.delimiter, rules: options.map?.map(parseColumnRule) }
  const { count, first } = await checkFile(file)
  const batchId = options.id ?? (await batchIdOf(file, options.agent))
  if (options.dryRun === true) {
    terminal.document({ batch_id: batchId, agent: options.agent, tasks: count, first })
    return EXIT.ok
  }
  terminal.note(batchId)
  const { agent, chunk } = options
  const body = { ...spendingFields(options), task_budget: options.taskBudget }
  const submission = { agent, batchId, chunk, total: count, tasks: readTasks(file), body }
  const { submitted, skipped } = await submitTasks(context, submission)
  if (options.wait) return followBatch(context, batchId)
  if (signal.aborted)
    throw interruptedError(`Batch ${batchId} continues. To follow it, run "troupe batch watch ${batchId}".`)
  if (terminal.options.json) terminal.document({ batch_id: batchId, submitted, skipped })
  else terminal.line(batchId)
  return EXIT.ok
}

async function batchIdOf(file: TaskFile, agent: string): Promise<string> {
  const name = basename(file.path, extname(file.path))
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, NAME_LENGTH)
  return `${name}-${await hashOfTasks(file, agent)}`
}
