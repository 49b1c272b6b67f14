import type { Batch } from '../../contracts/batches.ts'
import { costView } from '../../core/cost.ts'
import type { BatchDocument } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { jsonArray, jsonEntries, jsonObject, JsonText } from '../http/json-text.ts'
import { batchItem, batchSummary } from './batch-items.ts'
import type { BatchTasks, TaskParts } from './batch-tasks.ts'
import { batchBudget } from './budget.ts'
import { contentText } from './content-text.ts'
import { taskAnswerText } from './task-answer.ts'

interface BatchViewOptions {
  batch: BatchDocument
  /** The tasks in the snapshot in which the batch was read, so that the response is consistent. */
  tasks: BatchTasks
  parts: TaskParts
  /** The fields of the response; undefined means all. */
  fields: ReadonlySet<keyof Batch> | undefined
  responseClosed: AbortSignal
}

/**
 * Builds the view of a batch while it is sent; only the ids of its tasks are in memory.
 * @throws TroupeError storage_failed
 */
export async function batchView(deps: Dependencies, options: BatchViewOptions): Promise<JsonText> {
  const { batch, tasks, parts, fields, responseClosed } = options
  if (parts.inputs) await checkStorage(deps, tasks)
  const { submitted_by = null, budget, task_budget } = batch
  const ids = parts.ids ? tasks.listed.map(({ _id }) => _id) : []
  const { created_at, completed_at, ...item } = batchItem(batch, ids)
  const whole = {
    ...item,
    inputs: jsonObject<Batch['inputs']>({
      tasks: jsonArray(parts.inputs ? payloadsOf(deps, tasks, responseClosed) : []),
    }),
    outputs: jsonObject<Batch['outputs']>({
      results: parts.results ? jsonEntries(resultsOf(tasks)) : {},
      summary: batchSummary(batch),
    }),
    created_at,
    completed_at,
    cost: costView(batch.usage),
    budget: await batchBudget(deps, batch),
    budgets: { budget, task_budget },
    submitted_by,
  }
  const entries = Object.entries(whole).filter(([field]) => fields?.has(field as keyof Batch) ?? true)
  return jsonObject<Partial<Batch>>(Object.fromEntries(entries))
}

/** Which parts of the tasks a response with these fields needs. */
export function neededParts(asked: TaskParts, fields: ReadonlySet<keyof Batch> | undefined): TaskParts {
  const has = (field: keyof Batch): boolean => fields?.has(field) ?? true
  return {
    ids: asked.ids && (has('job_ids') || has('task_ids')),
    inputs: asked.inputs && has('inputs'),
    results: asked.results && has('outputs'),
  }
}

async function* resultsOf({ ends }: BatchTasks): AsyncGenerator<JsonText> {
  for await (const portion of ends()) {
    const entries = portion.map((task) => `${JSON.stringify(task._id)}:${taskAnswerText(task)}`)
    if (entries.length > 0) yield new JsonText(entries.join(','))
  }
}

async function* payloadsOf(
  deps: Dependencies,
  { payloads }: BatchTasks,
  responseClosed: AbortSignal,
): AsyncGenerator<JsonText> {
  for await (const portion of payloads()) {
    let texts: string[] = []
    for (const { inputs } of portion) {
      if ('json' in inputs) {
        texts.push(inputs.json)
        continue
      }
      if (texts.length > 0) yield new JsonText(texts.join(','))
      texts = []
      yield await contentText(deps, inputs, responseClosed)
    }
    if (texts.length > 0) yield new JsonText(texts.join(','))
  }
}

/** Fetches the first large payload before the response starts, so that an unavailable object store causes an error response. */
async function checkStorage({ blobs }: Dependencies, { listed }: BatchTasks): Promise<void> {
  const inputs = listed.find((task) => task.inputs !== undefined && 'pointer' in task.inputs)?.inputs
  if (inputs !== undefined && 'pointer' in inputs && inputs.pointer !== undefined) {
    const stream = await blobs.open(inputs.pointer)
    stream.on('error', () => {}).destroy()
  }
}
