import type { SubmitProgress } from '../../client/index.ts'
import { spendingFields, type TaskSpendingOptions } from '../budget.ts'
import { checkFile, hashOfTasks } from '../check-file.ts'
import { parseColumnRule } from '../column-map.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { followBatch } from '../follow-batch.ts'
import { interruptedError } from '../interrupt.ts'
import { number } from '../progress-line.ts'
import { formatOf, readTasks, type TaskFile } from '../task-file.ts'

interface AddOptions extends Omit<TaskSpendingOptions, 'budget'> {
  agent?: string
  map?: string[]
  format?: TaskFile['format']
  delimiter?: string
  wait: boolean
}

/** Number of retries, enough for a restart of the service. */
const RETRIES = 12

/**
 * `troupe batch add ID FILE`: adds one task per row. The key of each chunk consists of a hash of the file and the position, so repeating
 * the command adds nothing twice for a day, the time for which the service stores keys.
 */
export async function batchAdd(context: Context, [id, path]: [string, string], options: AddOptions): Promise<number> {
  const { troupe, terminal, signal } = context
  const format = options.format ?? formatOf(path)
  const file: TaskFile = { path, format, delimiter: options.delimiter, rules: options.map?.map(parseColumnRule) }
  const { count } = await checkFile(file)
  const batch = await troupe.batches.get(id, { results: false }, { signal })
  const agent = options.agent ?? batch.agent_name
  const hash = await hashOfTasks(file, agent)
  let sent = 0
  const onProgress = ({ submitted }: SubmitProgress): void => {
    sent = submitted
    terminal.progress(`adding ${number(sent)} of ${number(count)}`)
  }
  const body = { task_budget: options.taskBudget, no_cache: spendingFields(options).no_cache }
  const how = { key: hash, taskCount: batch.task_count, onProgress, signal, retries: RETRIES, body }
  const { skipped } = await troupe.batches.addAll(id, agent, readTasks(file), how).catch((error: unknown) => {
    if (!signal.aborted) throw error
    throw interruptedError(`Added ${number(sent)} of ${number(count)} tasks. Repeat the command to add the rest.`)
  })
  if (skipped > 0) terminal.note(`${number(skipped)} tasks had already been added.`)
  if (sent > skipped) terminal.note(`Added ${number(sent - skipped)} tasks.`)
  if (options.wait) return followBatch(context, id)
  if (terminal.options.json) terminal.document({ batch_id: id, added: sent - skipped, skipped })
  else terminal.line(id)
  return EXIT.ok
}
