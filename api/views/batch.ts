import type { ClientSession } from 'mongodb'
import type { Batch, BatchSummary } from '../../contracts/batches.ts'
import { endStatus, hasEnded, taskAnswer } from '../../core/task-answer.ts'
import type { Content, BatchDocument, ExecutionDocument } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { inPortions, readSome } from '../http/in-portions.ts'
import { jsonArray, jsonEntries, jsonLater, jsonObject, JsonText } from '../http/json-text.ts'
import { batchItem } from './batch-items.ts'
import { contentText } from './content-text.ts'

/** A batch that is smaller than this is read at once and answered from memory. */
const HELD_TASKS = 1_000
const HELD_CHARACTERS = 4_194_304

type TaskIds = Pick<ExecutionDocument, '_id'> & { inputs?: Partial<Content> }
export type TaskEnd = Pick<ExecutionDocument, '_id' | 'status' | 'outputs' | 'error'>

/** Projection of what a task's answer is made from. */
export const taskEndFields = { status: 1, outputs: 1, error: 1 } as const

/** An ended task's answer; what is large in it is a pointer. */
export function taskAnswerView({ contents }: Pick<Dependencies, 'contents'>, task: TaskEnd & { status: EndedStatus }) {
  const { status, outputs, error } = task
  if (status === 'canceled') return taskAnswer(task, null)
  return taskAnswer(task, outputs === null ? (status === 'failed' ? { error } : null) : contents.inline(outputs))
}

type EndedStatus = Exclude<ExecutionDocument['status'], 'running'>

/** The same as text: what was answered is spliced in as it was stored. */
export function taskAnswerText(deps: Pick<Dependencies, 'contents'>, task: TaskEnd & { status: EndedStatus }): string {
  const { status, outputs, error } = task
  if (status === 'canceled' || outputs === null || 'pointer' in outputs)
    return JSON.stringify(taskAnswerView(deps, task))
  const end = JSON.stringify(endStatus(status))
  return `{"status":${end},"response":{"status":${end},"result":${outputs.json},"error":${JSON.stringify(error)}}}`
}

interface BatchViewOptions {
  batch: BatchDocument
  /** Reads as of the moment in which the batch was read, so that everything in the answer fits together. */
  session: ClientSession
  withResults: boolean
  released: AbortSignal
}

/**
 * The whole batch. A large one is made while it is sent: in memory are only its ids.
 * @throws TroupeError storage_failed
 */
export async function batchView(deps: Dependencies, options: BatchViewOptions): Promise<JsonText> {
  const { batch, withResults, released } = options
  const tasks = (await heldTasks(deps, options)) ?? (await tasksToRead(deps, options))
  await checkStorage(deps, tasks.ids)
  const summary: BatchSummary = { total_expected: batch.task_count, recorded: 0, succeeded: 0, failed: 0 }
  const { succeeded, failed } = batch
  const stored: BatchSummary = { ...summary, recorded: succeeded + failed, succeeded, failed }
  const results = withResults ? jsonEntries(resultsOf(deps, tasks.ends, summary)) : {}
  return jsonObject<Batch>({
    ...batchItem(
      batch,
      tasks.ids.map(({ _id }) => _id),
    ),
    inputs: jsonObject<Batch['inputs']>({ tasks: jsonArray(payloadsOf(deps, tasks.payloads, released)) }),
    // The summary is sent after the results that it counts.
    outputs: jsonObject<Batch['outputs']>({ results, summary: withResults ? jsonLater(() => summary) : stored }),
  })
}

type Payload = Pick<ExecutionDocument, '_id' | 'inputs'>
type Portions<Task> = Iterable<Task[]> | AsyncIterable<Task[]>

/** A batch's tasks, once for each part of the answer that is made from them. */
interface Tasks {
  ids: TaskIds[]
  payloads: Portions<Payload>
  ends: Portions<TaskEnd>
}

/** The tasks of a small batch, read in one query; undefined when they are too many or too large to be held. */
async function heldTasks(deps: Dependencies, { batch, session, withResults }: BatchViewOptions) {
  if (batch.task_count > HELD_TASKS) return undefined
  const fields = { inputs: 1, ...(withResults ? taskEndFields : {}) } as const
  const found = tasksOf<Payload & TaskEnd>(deps.store, batch._id, fields, session)
  const { documents, more } = await readSome(found, sizeOf, HELD_CHARACTERS)
  return more ? undefined : ({ ids: documents, payloads: [documents], ends: [documents] } satisfies Tasks)
}

function sizeOf({ inputs, outputs }: Payload & Partial<TaskEnd>): number {
  return [inputs, outputs].reduce((sum, part) => sum + (part != null && 'json' in part ? part.json.length : 0), 500)
}

async function tasksToRead({ store }: Dependencies, { batch: { _id }, session }: BatchViewOptions): Promise<Tasks> {
  return {
    ids: await tasksOf<TaskIds>(store, _id, { 'inputs.pointer': 1 }, session).toArray(),
    payloads: inPortions(tasksOf<Payload>(store, _id, { inputs: 1 }, session)),
    ends: inPortions(tasksOf<TaskEnd>(store, _id, taskEndFields, session)),
  }
}

async function* resultsOf(
  deps: Dependencies,
  portions: Portions<TaskEnd>,
  summary: BatchSummary,
): AsyncGenerator<JsonText> {
  for await (const portion of portions) {
    const entries = portion.flatMap((task) => {
      const { _id, status } = task
      if (!hasEnded(status)) return []
      summary.recorded += 1
      summary[status === 'completed' ? 'succeeded' : 'failed'] += 1
      return [`${JSON.stringify(_id)}:${taskAnswerText(deps, { ...task, status })}`]
    })
    if (entries.length > 0) yield new JsonText(entries.join(','))
  }
}

async function* payloadsOf(
  deps: Dependencies,
  portions: Portions<Payload>,
  released: AbortSignal,
): AsyncGenerator<JsonText> {
  for await (const portion of portions) {
    let texts: string[] = []
    for (const { inputs } of portion) {
      if ('json' in inputs) {
        texts.push(inputs.json)
        continue
      }
      if (texts.length > 0) yield new JsonText(texts.join(','))
      texts = []
      yield await contentText(deps, inputs, released)
    }
    if (texts.length > 0) yield new JsonText(texts.join(','))
  }
}

/** Asks for the first large payload before anything is sent: when the store is away the answer is an error, not a torn one. */
async function checkStorage({ blobs }: Dependencies, tasks: TaskIds[]): Promise<void> {
  const inputs = tasks.find((task) => task.inputs !== undefined && 'pointer' in task.inputs)?.inputs
  if (inputs !== undefined && 'pointer' in inputs && inputs.pointer !== undefined) {
    const stream = await blobs.open(inputs.pointer)
    stream.on('error', () => {}).destroy()
  }
}

function tasksOf<Shape extends object>(
  { executions }: Dependencies['store'],
  batchId: string,
  projection: Record<string, 1>,
  session: ClientSession,
) {
  return executions
    .find({ batch_id: batchId }, { projection, session })
    .sort({ batch_index: 1, _id: 1 })
    .project<Shape>(projection)
}
