import { checkFile, hashOfTasks } from '../check-file.ts'
import { parseColumnRule } from '../column-map.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { followBatch } from '../follow-batch.ts'
import { interruptedError } from '../interrupt.ts'
import { number } from '../progress-line.ts'
import { formatOf, readTasks, type TaskFile } from '../task-file.ts'

interface AddOptions {
  agent?: string
  map?: string[]
  format?: TaskFile['format']
  delimiter?: string
  wait: boolean
}

const CHUNK = 1_000
/** A service that restarts is waited for. */
const RETRIES = 12

/**
 * `troupe batch add ID FILE`: a task more for each row. Each chunk bears a key made of the file's content and its place: the same
 * command adds nothing twice for as long as the service keeps keys, a day.
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
  let skipped = 0
  for await (const tasks of chunksOf(readTasks(file))) {
    if (signal.aborted) {
      throw interruptedError(`${number(sent)} of ${number(count)} tasks are added. The same command adds the rest.`)
    }
    const idempotencyKey = `add-${id}-${hash}-${sent}`
    // One that is under way is finished: what was added is then known.
    const body = { agent_name: agent, tasks }
    const { total_tasks } = await troupe.batches.addTasks(id, body, { idempotencyKey, retries: RETRIES })
    sent += tasks.length
    // What was added before is answered as it was then.
    if (total_tasks <= batch.task_count) skipped += tasks.length
    terminal.progress(`adding ${number(sent)} of ${number(count)}`)
  }
  if (skipped > 0) terminal.note(`${number(skipped)} tasks were added before.`)
  if (sent > skipped) terminal.note(`${number(sent - skipped)} tasks are added.`)
  if (options.wait) return followBatch(context, id)
  if (terminal.options.json) terminal.document({ batch_id: id, added: sent - skipped, skipped })
  else terminal.line(id)
  return EXIT.ok
}

async function* chunksOf<Task>(tasks: AsyncIterable<Task>): AsyncGenerator<Task[]> {
  let chunk: Task[] = []
  for await (const task of tasks) {
    if (chunk.push(task) < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
