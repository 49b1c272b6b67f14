import type { BatchItem } from '../../contracts/batches.ts'
import { timestamp, timestampOrNull } from '../../core/timestamp.ts'
import type { BatchDocument } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { jsonObject, JsonText } from '../json-text.ts'

/** Ids that are read in one query for several batches; a larger batch has a query of its own. */
const IDS_TOGETHER = 10_000

/** Batches as lists show them, each with the ids of its tasks. */
export async function* batchItems(deps: Dependencies, batches: BatchDocument[]): AsyncGenerator<JsonText> {
  let together: BatchDocument[] = []
  let count = 0
  for (const batch of batches) {
    if (count + batch.task_count > IDS_TOGETHER && together.length > 0) {
      yield* itemsOf(deps, together)
      together = []
      count = 0
    }
    together.push(batch)
    count += batch.task_count
  }
  yield* itemsOf(deps, together)
}

/** Tasks that were added to a batch since it was read are left out. */
async function* itemsOf({ store }: Dependencies, batches: BatchDocument[]): AsyncGenerator<JsonText> {
  const batchIds = batches.map(({ _id }) => _id)
  const batchSize = 1 + batches.reduce((sum, { task_count }) => sum + task_count, 0)
  const tasks = await store.executions
    .find({ batch_id: { $in: batchIds } }, { projection: { batch_id: 1 }, batchSize })
    .sort({ batch_id: 1, batch_index: 1, _id: 1 })
    .toArray()
  const byBatch = Map.groupBy(tasks, ({ batch_id }) => batch_id)
  for (const batch of batches) {
    const ids = (byBatch.get(batch._id) ?? []).slice(0, batch.task_count)
    yield jsonObject<BatchItem>(batchItem(batch, ids))
  }
}

/** What is said of a batch in lists and of its own. */
export function batchItem(batch: BatchDocument, tasks: { _id: string }[]) {
  const { _id, agent_name, status, task_count, created_at, completed_at } = batch
  const ids = new JsonText(JSON.stringify(tasks.map((task) => task._id)))
  return {
    batch_id: _id,
    agent_name,
    status,
    task_count,
    job_ids: ids,
    task_ids: ids,
    created_at: timestamp(created_at),
    completed_at: timestampOrNull(completed_at),
  }
}
