import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { followBatch } from '../follow-batch.ts'
import { submitTasks } from '../submit-tasks.ts'

const HASH_LENGTH = 8
/** Longest beginning of the first batch's id; the whole must stay within 128 characters. */
const NAME_LENGTH = 100

/** `troupe batch retry ID`: the failed tasks again, in a batch whose id says which; the same command finds it again. */
export async function batchRetry(context: Context, [id]: [string], { wait }: { wait: boolean }): Promise<number> {
  const { troupe, terminal, signal } = context
  const { agent_name: agent, status } = await troupe.batches.get(id, { results: false }, { signal })
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
  const batchId = `${id.slice(0, NAME_LENGTH)}-retry-${hash.digest('hex').slice(0, HASH_LENGTH)}`
  terminal.note(batchId)
  const result = await submitTasks(context, { agent, batchId, total: tasks.length, tasks })
  if (wait) return followBatch(context, batchId)
  if (terminal.options.json) terminal.document(result)
  else terminal.line(batchId)
  return EXIT.ok
}
