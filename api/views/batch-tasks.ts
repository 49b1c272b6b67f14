import type { ClientSession } from 'mongodb'
import { TroupeError } from '../../core/errors.ts'
import type { EndStatus } from '../../core/execution.ts'
import { hasEnded } from '../../core/task-answer.ts'
import { inlineLength } from '../../store/objects/contents.ts'
import type { BatchDocument, ExecutionDocument } from '../../store/documents.ts'
import { RUNNING } from '../../store/open.ts'
import type { Dependencies } from '../dependencies.ts'
import { readSome } from '../http/in-portions.ts'

/** A batch of at most so many tasks, and so much text, is read at once and answered from memory. */
const HELD_TASKS = 1_000
const HELD_CHARACTERS = 4_194_304
/** Tasks of the first query; further ones take as many as make about PORTION_CHARACTERS, so that a slow reader holds little. */
const FIRST_TASKS = 50
const MOST_TASKS = 1_000
const PORTION_CHARACTERS = 524_288

/** What a task's answer is made from. */
export type TaskEnd = Pick<ExecutionDocument, '_id' | 'status' | 'outputs' | 'error'>

/** The same of one that has ended. */
export type EndedTask = TaskEnd & { status: EndStatus }

/** Projection of what a task's answer is made from. */
export const taskEndFields = { status: 1, outputs: 1, error: 1 } as const

type Fields = Record<string, 1>

/** Which parts of the tasks an answer has. */
export interface TaskParts {
  ids: boolean
  inputs: boolean
  results: boolean
}

type Payload = Pick<ExecutionDocument, '_id' | 'inputs'>
type Listed = Pick<ExecutionDocument, '_id'> & { inputs?: Partial<ExecutionDocument['inputs']> }

/** A batch's tasks in their order, as of one moment. */
export interface BatchTasks {
  listed: Listed[]
  payloads: () => AsyncIterable<Payload[]> | Iterable<Payload[]>
  /** The tasks that had ended by then. */
  ends: () => AsyncIterable<EndedTask[]> | Iterable<EndedTask[]>
}

/**
 * Reads a batch's tasks as they were when the batch was read. Of a large one only ids are read now, and which of them run: inputs never
 * change, nor do the outputs of what has ended, so they can be read at their reader's pace, after the snapshot has gone. Where the
 * batch is deleted meanwhile, the answer breaks off.
 */
export async function readBatchTasks(
  deps: Dependencies,
  { _id, task_count }: BatchDocument,
  parts: TaskParts,
  session: ClientSession,
): Promise<BatchTasks> {
  const { executions } = deps.store
  const options = { session, readConcern: { level: 'snapshot' } } as const
  const find = <Shape extends object>(projection: Fields) =>
    executions.find({ batch_id: _id }, options).sort({ batch_index: 1, _id: 1 }).project<Shape>(projection)
  if (!parts.ids && !parts.inputs && !parts.results) return { listed: [], payloads: () => [], ends: () => [] }
  if (task_count <= HELD_TASKS) {
    const fields: Fields = { _id: 1, ...(parts.inputs && { inputs: 1 }), ...(parts.results && taskEndFields) }
    const { documents, more } = await readSome(find<Payload & TaskEnd>(fields), sizeOf, HELD_CHARACTERS)
    if (!more) return { listed: documents, payloads: () => [documents], ends: () => [documents.filter(hasEnded)] }
  }
  // Ids alone come from an index.
  const fields: Fields = { _id: 1, ...(parts.inputs && { 'inputs.pointer': 1 }) }
  const listed = await find<Listed>(fields).toArray()
  const open = parts.results
    ? await deps.store.open.find({ batch_id: _id, ...RUNNING }, { ...options, projection: { _id: 1 } }).toArray()
    : []
  const running = new Set(open.map((task) => task._id))
  const ended = listed.filter((task) => !running.has(task._id))
  return {
    listed,
    payloads: () => readInOrder<Payload>(deps, listed, { inputs: 1 }),
    ends: () => readEnded(deps, ended),
  }
}

/** The first of this version's processes finds tasks of earlier ones that it does not know to be open. */
async function* readEnded(deps: Dependencies, tasks: Listed[]): AsyncGenerator<EndedTask[]> {
  for await (const portion of readInOrder<EndedTask>(deps, tasks, taskEndFields)) yield portion.filter(hasEnded)
}

async function* readInOrder<Shape extends Payload | EndedTask>(
  { store }: Dependencies,
  tasks: Listed[],
  projection: Fields,
): AsyncGenerator<Shape[]> {
  for (let from = 0, count = FIRST_TASKS; from < tasks.length;) {
    const ids = tasks.slice(from, from + count).map(({ _id }) => _id)
    const found = await store.executions
      .find({ _id: { $in: ids } })
      .project<Shape>(projection)
      .toArray()
    const byId = new Map(found.map((task) => [task._id, task]))
    yield ids.map((id) => byId.get(id) ?? deleted(id))
    from += ids.length
    const characters = found.reduce((sum, task) => sum + sizeOf(task), 0)
    count = Math.min(MOST_TASKS, Math.max(1, Math.floor((PORTION_CHARACTERS * ids.length) / (characters + 1))))
  }
}

/** What comes of a task that is not there any more. @throws TroupeError not_found: an answer without it would look whole */
export function deleted(id: string): never {
  throw new TroupeError('not_found', `Task "${id}" was deleted.`)
}

function sizeOf({ inputs, outputs }: Partial<Payload & TaskEnd>): number {
  return 500 + inlineLength(inputs) + inlineLength(outputs)
}
