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
  const agent = options.agent ?? (await troupe.batches.get(id, { results: false }, { signal })).agent_name
  const hash = await hashOfTasks(file, agent)
  let added = 0
  let total = 0
  for await (const tasks of chunksOf(readTasks(file))) {
    if (signal.aborted) {
      throw interruptedError(`${number(added)} of ${number(count)} tasks are added. The same command adds the rest.`)
    }
    const idempotencyKey = `add-${id}-${hash}-${added}`
    // One that is under way is finished: what was added is then known.
    const body = { agent_name: agent, tasks }
    const { total_tasks } = await troupe.batches.addTasks(id, body, { idempotencyKey, retries: RETRIES })
    added += tasks.length
    total = total_tasks
    terminal.progress(`adding ${number(added)} of ${number(count)}`)
  }
  terminal.note(`The ${number(added)} tasks are in ${id}, which has ${number(total)} in all.`)
  if (options.wait) return followBatch(context, id)
  if (terminal.options.json) terminal.document({ batch_id: id, tasks: added, total_tasks: total })
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
