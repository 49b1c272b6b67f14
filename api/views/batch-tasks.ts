import type { ClientSession } from 'mongodb'
import { TroupeError } from '../../core/errors.ts'
import type { EndStatus } from '../../core/execution.ts'
import { hasEnded } from '../../core/task-answer.ts'
import { inlineLength } from '../../store/objects/contents.ts'
import type { BatchDocument, ExecutionDocument } from '../../store/documents.ts'
import { RUNNING } from '../../store/open.ts'
import type { Dependencies } from '../dependencies.ts'
import { readSome } from '../http/in-portions.ts'

/** A batch up to these limits is read at once and returned from memory. */
const HELD_TASKS = 1_000
const HELD_CHARACTERS = 4_194_304
/** Number of tasks in the first query; later ones are sized to about PORTION_CHARACTERS, so that a slow client keeps little in memory. */
const FIRST_TASKS = 50
const MOST_TASKS = 1_000
const PORTION_CHARACTERS = 524_288

/** The fields from which a task's response is built. */
export type TaskEnd = Pick<ExecutionDocument, '_id' | 'status' | 'outputs' | 'error'>

/** The same fields of an ended task. */
export type EndedTask = TaskEnd & { status: EndStatus }

/** Projection of the fields from which a task's response is built. */
export const taskEndFields = { status: 1, outputs: 1, error: 1 } as const

type Fields = Record<string, 1>

/** Which parts of the tasks to include in a response. */
export interface TaskParts {
  ids: boolean
  inputs: boolean
  results: boolean
}

type Payload = Pick<ExecutionDocument, '_id' | 'inputs'>
type Listed = Pick<ExecutionDocument, '_id'> & { inputs?: Partial<ExecutionDocument['inputs']> }

/** The tasks of a batch in order, at one point in time. */
export interface BatchTasks {
  listed: Listed[]
  payloads: () => AsyncIterable<Payload[]> | Iterable<Payload[]>
  /** The tasks that had ended at that time. */
  ends: () => AsyncIterable<EndedTask[]> | Iterable<EndedTask[]>
}

/**
 * Reads the tasks of a batch in the snapshot in which the batch was read. For a large batch, reads only ids and the running tasks now:
 * inputs and the outputs of ended tasks never change, so they can be read later at the pace of the client, without the snapshot. If
 * the batch is deleted meanwhile, the response breaks off.
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
  // Reading only ids uses an index.
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

/** Also finds running tasks of earlier versions, which have no entry among the open executions until they are migrated. */
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

/** Fails for a deleted task. @throws TroupeError not_found, because a response without the task would look complete */
export function deleted(id: string): never {
  throw new TroupeError('not_found', `Task "${id}" was deleted.`)
}

function sizeOf({ inputs, outputs }: Partial<Payload & TaskEnd>): number {
  return 500 + inlineLength(inputs) + inlineLength(outputs)
}
