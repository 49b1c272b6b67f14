import type { BatchItem, BatchSummary } from '../../contracts/batches.ts'
import type { BatchDocument } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { jsonObject, JsonText } from '../http/json-text.ts'

/** How many ids one query reads: MongoDB returns one document per batch, whose maximum size is 16 MB. */
const IDS_TOGETHER = 10_000
const IDS_AT_MOST = 100_000

/** Builds list items of batches. @param withIds - whether to include the ids of tasks. */
export async function* batchItems(
  deps: Dependencies,
  batches: BatchDocument[],
  withIds: boolean,
): AsyncGenerator<JsonText> {
  if (!withIds) return yield* batches.map((batch) => listItem(batch, []))
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

async function* itemsOf(deps: Dependencies, batches: BatchDocument[]): AsyncGenerator<JsonText> {
  const ids = await idsOf(deps, batches)
  for (const batch of batches) yield listItem(batch, ids.get(batch._id) ?? [])
}

/**
 * Ids of the tasks of batches, in order. The server groups them, using only the index: thousands of small documents would
 * cost this process ten times as much. Omits tasks that were added after the batch was read.
 */
async function idsOf({ store }: Dependencies, batches: BatchDocument[]): Promise<Map<string, string[]>> {
  const batch_id = { $in: batches.map(({ _id }) => _id) }
  const most = Math.max(0, ...batches.map(({ task_count }) => task_count))
  const ids = new Map<string, string[]>(batches.map(({ _id }) => [_id, []]))
  for (let from = 0; from < most; from += IDS_AT_MOST) {
    const range = { $gte: from, $lt: Math.min(from + IDS_AT_MOST, most) }
    const found = store.executions.aggregate<{ _id: string; ids: string[] }>([
      { $match: { batch_id, batch_index: range } },
      { $sort: { batch_id: 1, batch_index: 1, _id: 1 } },
      { $group: { _id: '$batch_id', ids: { $push: '$_id' } } },
    ])
    for await (const group of found) ids.set(group._id, [...(ids.get(group._id) ?? []), ...group.ids])
  }
  return new Map(batches.map(({ _id, task_count }) => [_id, (ids.get(_id) ?? []).slice(0, task_count)]))
}

function listItem(batch: BatchDocument, taskIds: string[]): JsonText {
  return jsonObject<BatchItem>({ ...batchItem(batch, taskIds), summary: batchSummary(batch) })
}

/** The summary of a batch from the counters of its document. */
export function batchSummary({ task_count, succeeded, failed }: BatchDocument): BatchSummary {
  return { total_expected: task_count, recorded: succeeded + failed, succeeded, failed }
}

/** The fields of a batch that lists and single responses share. */
export function batchItem(batch: BatchDocument, taskIds: string[]) {
  const { _id, agent_name, status, task_count, created_at, completed_at } = batch
  const ids = new JsonText(JSON.stringify(taskIds))
  return {
    batch_id: _id,
    agent_name,
    status,
    task_count,
    job_ids: ids,
    task_ids: ids,
    created_at: created_at.toISOString(),
    completed_at: completed_at?.toISOString() ?? null,
  }
}
